// The few names of Capacitor that the guide and the plugin use. Its headers know nothing of strict concurrency.
@_exported import Foundation

open class CAPPlugin: NSObject {
    public func notifyListeners(_ event: String, data: [String: Any]?) {}
}

public protocol CAPBridgedPlugin {
    var identifier: String { get }
    var jsName: String { get }
    var pluginMethods: [CAPPluginMethod] { get }
}

public let CAPPluginReturnPromise = "promise"

public final class CAPPluginMethod: NSObject {
    public init(name: String, returnType: String) {}
}

public final class CAPPluginCall: NSObject {
    public func getString(_ name: String) -> String? { nil }
    public func resolve(_ data: [String: Any] = [:]) {}
}

@MainActor
public protocol CAPBridgeProtocol {
    func registerPluginInstance(_ plugin: CAPPlugin)
}

@MainActor
open class CAPBridgeViewController: NSObject {
    public let bridge: (any CAPBridgeProtocol)? = nil
    open func capacitorDidLoad() {}
}
