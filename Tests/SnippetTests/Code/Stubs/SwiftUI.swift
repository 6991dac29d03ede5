// The few names of SwiftUI, and of Combine, that the example uses, isolated as Apple has them.
@_exported import Foundation

extension URL {
    public static var documentsDirectory: URL { URL(filePath: "/") }
}

// MARK: Combine

public protocol ObservableObject: AnyObject {}

@propertyWrapper
public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

// MARK: Values

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError() }
}

public struct AnyContent: View {
    public var body: Never { return fatalError() }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildBlock() -> AnyContent { AnyContent() }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> AnyContent { AnyContent() }
    public static func buildEither(first: AnyContent) -> AnyContent { first }
    public static func buildEither(second: AnyContent) -> AnyContent { second }
    public static func buildOptional(_ content: AnyContent?) -> AnyContent { AnyContent() }
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = AnyContent
    @ViewBuilder func body(content: Content) -> Body
}

public struct Color: View, Sendable {
    public static let black = Color(), red = Color(), primary = Color(), secondary = Color()
    public static let green = Color(), orange = Color()
    public func opacity(_ value: Double) -> Color { self }
    public var body: Never { return fatalError() }
}

public struct Font: Sendable {
    public static let caption = Font(), caption2 = Font(), title = Font(), title2 = Font(), largeTitle = Font()
    public static let footnote = Font(), headline = Font()
    public func monospacedDigit() -> Font { self }
}

public struct Animation: Sendable {
    public static func spring(duration: Double) -> Animation { Animation() }
    public static func easeOut(duration: Double) -> Animation { Animation() }
}

public struct AnyTransition {
    public static var identity: AnyTransition { AnyTransition() }
    public static func push(from edge: Edge) -> AnyTransition { AnyTransition() }
}

public struct ContentTransition {
    public static func numericText(value: Double) -> ContentTransition { ContentTransition() }
}

public enum Edge: Sendable {
    case top, bottom
}

public enum HorizontalAlignment: Sendable {
    case leading, center, trailing
}

public struct ButtonRole: Sendable {
    public static let destructive = ButtonRole()
}

public enum ScenePhase: Sendable {
    case active, inactive, background
}

// MARK: Views

public struct Text: View {
    public init(_ text: some StringProtocol) {}
    public init(timerInterval: ClosedRange<Date>, countsDown: Bool) {}
    public func monospacedDigit() -> Text { self }
    public var body: Never { return fatalError() }
}

public struct Image: View {
    public init(systemName: String) {}
    public var body: Never { return fatalError() }
}

public struct Label: View {
    public init(_ text: String, systemImage: String) {}
    public var body: Never { return fatalError() }
}

public struct Spacer: View {
    public init() {}
    public var body: Never { return fatalError() }
}

public struct TextField: View {
    public init(_ title: String, text: Binding<String>) {}
    public var body: Never { return fatalError() }
}

public struct ShareLink: View {
    public init(_ title: String, item: URL) {}
    public var body: Never { return fatalError() }
}

public struct Button: View {
    public init(_ title: String, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {}
    public var body: Never { return fatalError() }
}

public struct ProgressView: View {
    public init(value: Double, total: Double = 1) {}
    public var body: Never { return fatalError() }
}

public struct Gauge: View {
    public init(value: Double, in range: ClosedRange<Double> = 0...1, @ViewBuilder label: () -> some View) {}
    public var body: Never { return fatalError() }
}

public struct Form: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}

public struct Section: View {
    public init(_ title: String, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}

public struct TabView: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}

public struct VStack: View {
    public init(alignment: HorizontalAlignment = .center, @ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}

public struct HStack: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}

public struct ForEach: View {
    public init<Data: RandomAccessCollection>(
        _ data: Data, @ViewBuilder content: (Data.Element) -> some View
    ) where Data.Element: Identifiable {}
    public init<Data: RandomAccessCollection, ID: Hashable>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: (Data.Element) -> some View
    ) {}
    public var body: Never { return fatalError() }
}

extension View {
    public func font(_ font: Font?) -> AnyContent { AnyContent() }
    public func foregroundStyle(_ color: Color) -> AnyContent { AnyContent() }
    public func padding() -> AnyContent { AnyContent() }
    public func frame(maxWidth: Double) -> AnyContent { AnyContent() }
    public func monospacedDigit() -> AnyContent { AnyContent() }
    public func id(_ id: some Hashable) -> AnyContent { AnyContent() }
    public func transition(_ transition: AnyTransition) -> AnyContent { AnyContent() }
    public func contentTransition(_ transition: ContentTransition) -> AnyContent { AnyContent() }
    public func animation(_ animation: Animation?, value: some Equatable) -> AnyContent { AnyContent() }
    public func modifier(_ modifier: some ViewModifier) -> AnyContent { AnyContent() }
    public func tabItem(@ViewBuilder _ label: () -> some View) -> AnyContent { AnyContent() }
    public func environmentObject(_ object: some ObservableObject) -> AnyContent { AnyContent() }
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> AnyContent { AnyContent() }
    public func activityBackgroundTint(_ color: Color?) -> AnyContent { AnyContent() }
}

// MARK: State

@propertyWrapper
public struct Binding<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@propertyWrapper
public struct State<Value> {
    public var wrappedValue: Value
    public var projectedValue: Binding<Value> { Binding(wrappedValue: wrappedValue) }
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@MainActor @propertyWrapper
public struct EnvironmentObject<Value: ObservableObject> {
    public var wrappedValue: Value { fatalError() }
    public nonisolated init() {}
}

public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
    public var isLuminanceReduced: Bool { false }
    public var isDynamicIslandLimitedInWidth: Bool { false }
}

@propertyWrapper
public struct Environment<Value> {
    public var wrappedValue: Value { fatalError() }
    public init(_ path: KeyPath<EnvironmentValues, Value>) {}
}

// MARK: An app

@MainActor @preconcurrency
public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

@resultBuilder
public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup: Scene {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Never { return fatalError() }
}

extension Scene {
    public func onChange<Value: Equatable>(
        of value: Value, perform action: @escaping @MainActor (Value) -> Void
    ) -> WindowGroup { WindowGroup { AnyContent() } }
}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

@MainActor @propertyWrapper
public struct UIApplicationDelegateAdaptor<Delegate> {
    public var wrappedValue: Delegate { fatalError() }
    public init(_ type: Delegate.Type) {}
}
