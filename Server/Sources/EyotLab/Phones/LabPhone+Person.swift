import ActivityKitStandIn
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// What people do with a phone. Each is seen by the app and by Apple as on a real one.
extension LabPhone {
    /// Opens the app, or brings it to the front.
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
    /// Locks the phone: transient cards end.
    public func lock() { act { $0.lock() } }

    /// Presses Allow.
    ///
    /// - Returns: false where this person never does.
    @discardableResult
    public func pressAllow() -> Bool {
        defer { changes.signal() }
        return phone.pressAllow()
    }

    /// Neither Apple nor the app's requests get through any more.
    public func goOffline() { act { $0.goOffline() } }

    /// The network is back; the app hears of it.
    public func goOnline() {
        act { $0.goOnline() }
        session()?.eyot.retryNow()
    }

    /// Changes what the phone does where Apple's documentation is silent.
    public func changeRules(_ rules: PhoneRules) { act { $0.changeRules { $0 = rules } } }

    /// Replaces the app by another build; it does not run afterwards.
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

    /// Changes what the person has set.
    public func changeSettings(_ body: (inout PhoneSettings) -> Void) { act { $0.changeSettings(body) } }

    private func act(_ body: (SimulatedPhone) -> Void) {
        body(phone)
        changes.signal()
    }

    // MARK: Cards

    /// Which card is meant: by its id, by its name, or the only one in view.
    public enum CardChoice: Sendable {
        /// The card with ActivityKit's id.
        case id(String)
        /// The newest card in view with this name.
        case name(String)
        /// The only card in view.
        case only
    }

    /// The card that is meant, among those in view.
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

    /// The system gives a card a new update token.
    public func rotateToken(_ choice: CardChoice) throws(LabError) {
        let card = try card(choice)
        let token = phone.rotateToken(ofCard: card.id)
        changes.signal()
        if token == nil { throw .noSuchCard("card \(card.id) has no update token that could change") }
    }

    /// The system gives the phone a new start token; nothing where it has none.
    public func rotateStartToken() { act { $0.rotateStartToken() } }

    // MARK: The app's own doing

    /// Runs code as the app on this phone does: `Eyot.shared` is its SDK, and ActivityKit is this phone's.
    ///
    /// - Throws: ``LabError/appNotRunning(phone:)``, and what the code throws.
    public func inApp<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Eyot) async throws -> Result
    ) async throws -> Result {
        let session = try runningSession()
        defer { changes.signal() }
        return try await PhoneProcess.$current.withValue(
            session.process,
            operation: { try await session.eyot.asShared { try await body(session.eyot) } }, isolation: isolation)
    }

    /// The app starts a card itself and has the SDK follow it.
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

    /// The app updates or ends a card itself, with ActivityKit, and tells the SDK before it does.
    ///
    /// - Throws: ``LabError/appNotRunning(phone:)``, ``LabError/noSuchCard(_:)``, and ``LabError/stateInvalid(_:)``
    ///   where the
    ///   state does not decode.
    public func change(_ choice: CardChoice, _ change: LocalChange) async throws {
        let card = try card(choice)
        guard let type = app.types[card.type] else { throw LabError.noSuchType(card.type) }
        let session = try runningSession()
        defer { changes.signal() }
        try await PhoneProcess.$current.withValue(session.process) {
            try await type.change(card.id, change, session.eyot)
        }
    }

    /// Somebody logs in to the app.
    public func identify(_ user: String) throws(LabError) {
        try runningSession().eyot.identify(user)
        set(user: user)
    }

    /// Whoever is logged in to the app logs out.
    public func logout() throws(LabError) {
        try runningSession().eyot.logout()
        set(user: nil)
    }

    private func runningSession() throws(LabError) -> Session {
        guard let session = session() else { throw .appNotRunning(phone: id) }
        return session
    }
}
