import ActivityKitStandIn
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// A user's actions on a phone. App and Apple observe each as on a real phone.
extension LabPhone {
    /// Launches the app, or brings it to the front.
    public func launch() { act { $0.launch() } }
    /// Leaves the app without closing it.
    public func moveToBackground() { act { $0.moveToBackground() } }
    /// Swipes the app away.
    public func forceQuit() { act { $0.forceQuit() } }
    /// Restarts the phone; the app does not run afterwards.
    public func reboot() { act { $0.reboot() } }
    /// Deletes the app and installs it again; it does not run afterwards.
    public func reinstall() {
        forgetDevice()
        act { $0.reinstall() }
    }
    /// Locks the phone, which ends transient cards.
    public func lock() { act { $0.lock() } }

    /// Presses Allow.
    ///
    /// - Returns: false if this user never does.
    @discardableResult
    public func pressAllow() -> Bool {
        defer { changes.signal() }
        return phone.pressAllow()
    }

    /// Takes the phone offline. Neither pushes nor the app's requests get through.
    public func goOffline() { act { $0.goOffline() } }

    /// Brings the phone online again, and lets the SDK retry.
    public func goOnline() {
        act { $0.goOnline() }
        session()?.eyot.retryNow()
    }

    /// Changes the phone's behaviour where Apple's documentation is silent.
    public func changeRules(_ rules: PhoneRules) { act { $0.changeRules { $0 = rules } } }

    /// Replaces the app by another build, which does not run afterwards.
    func install(_ build: PhoneBuild, types: [LabType]) {
        set(build: build)
        act { $0.updateApp(types: build.checks(of: types)) }
    }

    /// Installs a newer iOS, which restarts the phone. The app does not run afterwards.
    ///
    /// - Throws: `systemNotNewer`, because iOS cannot go back.
    func updateSystem(to os: IOSVersion) throws(LabError) {
        let former = phone.state.configuration.os
        guard former < os else { throw LabError.systemNotNewer("\(id) has iOS \(former), and \(os) is not newer") }
        act { $0.updateSystem(to: os) }
    }

    /// Changes the user's settings.
    public func changeSettings(_ body: (inout PhoneSettings) -> Void) { act { $0.changeSettings(body) } }

    private func act(_ body: (SimulatedPhone) -> Void) {
        body(phone)
        changes.signal()
    }

    // MARK: Cards

    /// A choice of a card: by its id, by its name, or as the only one in view.
    public enum CardChoice: Sendable {
        /// The card with ActivityKit's id.
        case id(String)
        /// The newest card in view with this name.
        case name(String)
        /// The only card in view.
        case only
    }

    /// Returns the chosen card among those in view.
    ///
    /// - Throws: ``LabError/noSuchCard(_:)``.
    public func card(_ choice: CardChoice) throws(LabError) -> SimulatedCard {
        let inView = phone.state.cards.filter { $0.phase != .dismissed }
        switch choice {
        case .id(let id):
            guard let card = inView.first(where: { $0.id == id }) else {
                throw .noSuchCard("\(self.id) has no card \(id) in view")
            }
            return card
        case .name(let name):
            guard let card = inView.last(where: { self.name(of: $0) == name }) else {
                throw .noSuchCard("\(id) has no card of the name \(name) in view")
            }
            return card
        case .only:
            guard inView.count == 1, let card = inView.first else {
                throw .noSuchCard("\(id) has \(inView.count) cards in view; say which by card or name")
            }
            return card
        }
    }

    /// Swipes a card away.
    public func dismiss(_ choice: CardChoice) throws(LabError) {
        let card = try card(choice)
        act { $0.dismiss(card: card.id) }
    }

    /// Gives a card a new update token, as the system does.
    public func rotateToken(_ choice: CardChoice) throws(LabError) {
        let card = try card(choice)
        let token = phone.rotateToken(ofCard: card.id)
        changes.signal()
        if token == nil { throw .noSuchCard("card \(card.id) has no update token that could change") }
    }

    /// Gives the phone a new start token, as the system does. Does nothing if it has none.
    public func rotateStartToken() { act { $0.rotateStartToken() } }

    // MARK: The app's own doing

    /// Runs code as the app on this phone. `Eyot.shared` is the app's SDK, and ActivityKit is this phone's.
    ///
    /// - Throws: ``LabError/appNotRunning(phone:)``, and any error of the code.
    public func inApp<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Eyot) async throws -> Result
    ) async throws -> Result {
        let session = try runningSession()
        defer { changes.signal() }
        return try await PhoneProcess.$current.withValue(
            session.process,
            operation: { try await session.eyot.asShared { try await body(session.eyot) } }, isolation: isolation)
    }

    /// Starts a card from the app, and lets the SDK follow it.
    ///
    /// - Returns: the card's id.
    @discardableResult
    public func start(_ start: LocalStart) throws -> String {
        guard let type = app.types[start.type] else { throw LabError.noSuchType(start.type) }
        let session = try runningSession()
        let id: String
        do {
            id = try PhoneProcess.$current.withValue(session.process) { try type.request(start, session.eyot) }
        } catch let error as ActivityAuthorizationError {
            throw LabError.startRefused("\(error)")
        }
        if let name = start.name { remember(name: name, ofCard: id) }
        changes.signal()
        return id
    }

    /// Updates or ends a card from the app with ActivityKit. The SDK is informed first.
    ///
    /// - Throws: ``LabError/appNotRunning(phone:)``, ``LabError/noSuchCard(_:)``, or ``LabError/stateInvalid(_:)`` if
    ///   the state does not decode.
    public func change(_ choice: CardChoice, _ change: LocalChange) async throws {
        let card = try card(choice)
        guard let type = app.types[card.type] else { throw LabError.noSuchType(card.type) }
        let session = try runningSession()
        defer { changes.signal() }
        try await PhoneProcess.$current.withValue(session.process) {
            try await type.change(card.id, change, session.eyot)
        }
    }

    /// Logs a user in to the app.
    public func identify(_ user: String) throws(LabError) {
        try runningSession().eyot.identify(user)
        set(user: user)
    }

    /// Logs the user out of the app.
    public func logout() throws(LabError) {
        try runningSession().eyot.logout()
        set(user: nil)
    }

    private func runningSession() throws(LabError) -> Session {
        guard let session = session() else { throw .appNotRunning(phone: id) }
        return session
    }
}
