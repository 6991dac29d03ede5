import EyotBridge
import Foundation
import React

/// The native half of `Bindings/javascript` in a React Native app. It only passes JSON text on.
///
/// Written for Swift's language mode 5, like apps made from React Native's template. React's types do not support
/// strict concurrency.
@objc(EyotLiveActivities)
nonisolated final class EyotLiveActivities: RCTEventEmitter {
    private var watching: Task<Void, Never>?

    override static func requiresMainQueueSetup() -> Bool { false }

    override func supportedEvents() -> [String] { ["eyotLiveActivitiesChanged"] }

    /// Restarts the observation, so that a new listener gets a first body.
    @objc func observe() {
        watching?.cancel()
        watching = Task { @MainActor [weak self] in
            guard let changes = LiveActivityBridge.shared?.changes() else { return }
            for await list in changes { self?.sendEvent(withName: "eyotLiveActivitiesChanged", body: list.json.text) }
        }
    }

    override func stopObserving() {
        watching?.cancel()
        watching = nil
    }

    /// Performs a call. It always resolves: the answer contains any error.
    @objc(call:request:resolve:reject:)
    func call(
        _ method: String, request: String, resolve: @escaping RCTPromiseResolveBlock,
        reject: @escaping RCTPromiseRejectBlock
    ) {
        Task { resolve(await LiveActivityBridge.answer(method, request)) }
    }
}
