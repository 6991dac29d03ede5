// The few names of WidgetKit that the example's extension uses, isolated as Apple has them.
import ActivityKitStandIn
import SwiftUI

@MainActor @preconcurrency
public protocol WidgetConfiguration {}

public struct EmptyConfiguration: WidgetConfiguration {}

@MainActor @preconcurrency
public protocol Widget {
    associatedtype Body: WidgetConfiguration
    var body: Body { get }
    init()
}

public struct EmptyWidget: Widget {
    public nonisolated init() {}
    public var body: EmptyConfiguration { EmptyConfiguration() }
}

@MainActor @preconcurrency
public protocol WidgetBundle {
    associatedtype Body: Widget
    @WidgetBundleBuilder var body: Body { get }
    init()
}

extension WidgetBundle {
    public static func main() {}
}

@resultBuilder
public struct WidgetBundleBuilder {
    public static func buildBlock<each Content: Widget>(_ content: repeat each Content) -> EmptyWidget { EmptyWidget() }
}

public struct ActivityViewContext<Attributes: ActivityAttributes> {
    public let attributes: Attributes
    public let state: Attributes.ContentState
    public let isStale: Bool
}

public struct ActivityConfiguration<Attributes: ActivityAttributes>: WidgetConfiguration {
    public init(
        for type: Attributes.Type, @ViewBuilder content: @escaping (ActivityViewContext<Attributes>) -> some View,
        dynamicIsland: @escaping (ActivityViewContext<Attributes>) -> DynamicIsland
    ) {}
}

public enum DynamicIslandExpandedRegionPosition: Sendable {
    case leading, trailing, center, bottom
}

public struct DynamicIslandExpandedRegion: View {
    public init(_ position: DynamicIslandExpandedRegionPosition, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}

public struct DynamicIsland {
    public init(
        @ViewBuilder expanded: @escaping () -> some View, @ViewBuilder compactLeading: @escaping () -> some View,
        @ViewBuilder compactTrailing: @escaping () -> some View, @ViewBuilder minimal: @escaping () -> some View
    ) {}

    public func widgetURL(_ url: URL?) -> DynamicIsland { self }
}
