import Capacitor
import EyotBridge
import Foundation

/// The native half of `Bindings/javascript` in a Capacitor app. It only passes JSON text on.
///
/// Written for Swift's language mode 5, like apps made from Capacitor's template. Capacitor's types do not support
/// strict concurrency.
@objc(EyotLiveActivitiesPlugin)
public nonisolated final class EyotLiveActivitiesPlugin: CAPPlugin, CAPBridgedPlugin {
    /// The plugin's class, for Capacitor.
    public let identifier = "EyotLiveActivitiesPlugin"
    /// The plugin's name in JavaScript.
    public let jsName = "EyotLiveActivities"
    /// The methods that JavaScript may call.
    public let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "call", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "observe", returnType: CAPPluginReturnPromise),
    ]
    private var watching: Task<Void, Never>?

    /// Performs a call. It always resolves: the answer contains any error.
    @objc func call(_ call: CAPPluginCall) {
        let method = call.getString("method") ?? ""
        let request = call.getString("request") ?? ""
        Task { call.resolve(["answer": await LiveActivityBridge.answer(method, request)]) }
    }

    /// Restarts the observation, so that a new listener gets a first body.
    @objc func observe(_ call: CAPPluginCall) {
        watching?.cancel()
        watching = Task { @MainActor [weak self] in
            guard let changes = LiveActivityBridge.shared?.changes() else { return }
            for await list in changes { self?.notifyListeners("changed", data: ["body": list.json.text]) }
        }
        call.resolve()
    }
}
