import EyotContract
import Foundation

/// Events from outside a phone's app. Each first advances the phone to the present; ``PhoneState`` describes its
/// effect.
extension SimulatedPhone {
    /// Advances the phone to the present. A lab calls it every second or so.
    public func advance() { change { $0.advance(to: $1) } }

    /// Opens the app, in the foreground.
    ///
    /// - Returns: the process, that of a running app too.
    @discardableResult
    public func launch() -> PhoneProcess {
        change { state, now in
            state.launch(now: now)
            return PhoneProcess(phone: self, generation: state.generation)
        }
    }

    /// The app's process; nil if the app does not run.
    public var process: PhoneProcess? {
        let state = state
        return state.run == .notRunning ? nil : PhoneProcess(phone: self, generation: state.generation)
    }

    /// Puts the running app into the background.
    public func moveToBackground() { change { $0.moveToBackground(now: $1) } }

    /// Swipes the app away.
    public func forceQuit() { change { $0.forceQuit(now: $1) } }

    /// Ends the app's process as the system does, for memory.
    public func terminateBySystem() { change { $0.terminateBySystem(now: $1) } }

    /// Restarts the phone.
    public func reboot() { change { $0.reboot(now: $1) } }

    /// Deletes the app and installs it again.
    public func reinstall() { change { $0.reinstall(now: $1) } }

    /// Updates the system, see ``PhoneState/updateSystem(to:now:)``. ``configuration`` and the stand-in's members stay
    /// those of the initial version.
    public func updateSystem(to os: IOSVersion) { change { $0.updateSystem(to: os, now: $1) } }

    /// Replaces the app by another build, which has these types.
    public func updateApp(types: [PayloadCheck]) { change { $0.updateApp(types: types, now: $1) } }

    /// Puts the switches so. Streams that are open keep to the ones with which they began.
    public func changeRules(_ body: (inout PhoneRules) -> Void) { change { state, _ in body(&state.rules) } }

    /// Records a mistake of the app.
    public func note(fault: String) { change { state, _ in state.note(fault: fault) } }

    /// Swipes a card away; false if there is no such card in view.
    @discardableResult
    public func dismiss(card id: String) -> Bool { change { $0.dismiss(card: id, now: $1) } }

    /// Locks the phone: transient cards end.
    public func lock() { change { $0.lock(now: $1) } }

    /// Sets the number of cards that other apps show.
    public func showCards(ofOtherApps count: Int) { change { $0.showCards(ofOtherApps: count, now: $1) } }

    /// Presses Allow; false if this person never does.
    @discardableResult
    public func pressAllow() -> Bool { change { $0.pressAllow(now: $1) } }

    /// Changes settings.
    public func changeSettings(_ body: (inout PhoneSettings) -> Void) {
        change { state, now in
            var settings = state.settings
            body(&settings)
            state.change(settings: settings, now: now)
        }
    }

    /// Gives a card a new update token; nil if it has none.
    @discardableResult
    public func rotateToken(ofCard id: String) -> PushToken? { change { $0.rotateToken(ofCard: id, now: $1) } }

    /// Gives the phone a new start token; nil if it has none.
    @discardableResult
    public func rotateStartToken() -> PushToken? { change { $0.rotateStartToken(now: $1) } }

    /// Apple can no longer reach the phone.
    public func goOffline() { change { $0.goOffline(now: $1) } }

    /// Reconnects the phone to Apple.
    ///
    /// - Returns: the effect of the first push that Apple stored; nil if there was none.
    @discardableResult
    public func goOnline() -> PushEffect? { change { $0.goOnline(now: $1) } }

    /// Receives a push or a broadcast, or lets Apple store it while the phone is offline. ``PhoneFleet`` decides
    /// whether the token is valid.
    @discardableResult
    public func receive(_ push: DeliveredPush) -> PushEffect { change { $0.receive(push, now: $1) } }
}
