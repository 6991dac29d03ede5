import EyotContract

/// The calls that the vendors' modules need beside the public ones. Those modules keep no state of their own.
extension Eyot {
    // MARK: Once in a launch

    /// Whether a call that takes effect once in a launch is made for the first time. A repeated call is reported.
    package static func isFirst(_ call: String) -> Bool {
        let calls = stand?.firstCalls ?? callsOfProcess
        let isFirst = calls.withLock { $0.insert(call).inserted }
        if !isFirst { whenConfigured { $0.publish(.problem(.calledAgain(call: call))) } }
        return isFirst
    }

    private static let callsOfProcess = Guarded<Set<String>>([])

    // MARK: The instance

    /// Waits for the shared instance. Returns nil if the task is cancelled before there is one.
    package static func configured() async -> Eyot? {
        let (instances, instance) = AsyncStream.makeStream(of: Eyot.self)
        whenConfigured { instance.yield($0) }
        for await found in instances { return found }
        return nil
    }

    /// Runs work beside everything else, with this instance as the shared one.
    package func perform(_ work: @escaping @Sendable () async -> Void) {
        // Holds itself weakly, so that an instance which never runs is released.
        ask(for: .work { [weak self] in await self?.asShared { await work() } })
    }

    /// The logged-in user; nil for none, and before the instance runs or is given one.
    package var user: String? { person.withLock { $0 ?? nil } }

    /// The events from now on. This stream takes no early events from the listeners to ``events``.
    package var laterEvents: AsyncStream<EyotEvent> { hub.listen(hearingEarlier: false) }

    /// Runs `body` after all earlier calls and returns its result; nil if the instance or the task ends before that.
    @discardableResult
    func inTurn<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
        let end = hub.listen(hearingEarlier: false)
        let (answers, answer) = AsyncStream.makeStream(of: Value.self)
        ask(
            for: .begin {
                answer.yield(await body())
                return nil
            })
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask {
                for await value in answers { return value }
                return nil
            }
            group.addTask {
                for await _ in end {}
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Replaces the signature of the logged-in user.
    package func renewSignature(_ signature: String) {
        ask(
            for: .begin { [ledger, configuration] in
                if let user = await ledger.state.user {
                    await ledger.identify(user, signature: signature, configuration.cardsOnLogout)
                }
                return nil
            })
    }

    // MARK: Start tokens

    /// Ends the remote starts of types that earlier launches registered, except `types` and those of this launch.
    package func endStarts(except types: Set<String>) {
        ask(
            for: .begin { [ledger] in
                await ledger.endStarts(except: types)
                return nil
            })
    }

    /// Ends the remote starts of types, by their own names or by the names of their registrations; nil for all.
    ///
    /// - Returns: the types that this ends, by their own names.
    package func endStarts(of names: [String]?) async -> Set<String> {
        await inTurn { [ledger] in await ledger.endStarts(of: names) } ?? []
    }

    /// Stops following the start token of a type in this launch. The server keeps its token.
    package func pauseStarts(of type: String) {
        ask(
            for: .begin { [ledger] in
                await ledger.pauseStarts(of: type)
                return nil
            })
    }

    // MARK: Cards

    /// Stops following the card with this id of ActivityKit.
    package func stopTracking(instance: String) { ask(for: .stopTracking(instance: instance)) }

    /// Waits until a card is no longer followed, or until the task is cancelled.
    package func untilForgotten(_ instance: String) async {
        // Runs after earlier calls. A card that is not followed then is gone or never existed.
        guard await inTurn({}) != nil else { return }
        for await status in statusUpdates(ofInstance: instance) where status == .notTracked { return }
    }

    /// Stops following the cards of a name, as ``stopTracking(_:)-(Activity<Attributes>)`` does for one.
    package func stopTracking(name: String) {
        ask(
            for: .begin { [ledger] in
                await ledger.stopTracking(allNamed: name)
                return nil
            })
    }

    /// Stops following the cards of a type, nil for all, and ends its remote starts.
    package func cancel(type: String?) {
        ask(
            for: .begin { [ledger] in
                await ledger.cancel(type: type)
                return nil
            })
    }

    /// Returns the followed card with this id of ActivityKit; nil for none.
    package func card(ofInstance instance: String) async -> Card? { await ledger.followed[instance]?.card.card }

    /// Returns the tokens of the phone that the server does not have yet: types with a start token, and cards with an
    /// update token.
    package func unconfirmed() async -> (types: [String], cards: [Card]) { await ledger.unconfirmed }
}
