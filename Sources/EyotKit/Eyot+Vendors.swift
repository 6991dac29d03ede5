import EyotContract

/// What the modules with the vendors' names need beside the public calls. They keep no books of their own.
extension Eyot {
    // MARK: Once in a launch

    /// Whether a call that counts once in a launch has not been made before in this one. Where it has, that is
    /// reported.
    package static func isFirst(_ call: String) -> Bool {
        let calls = stand?.firstCalls ?? callsOfProcess
        let isFirst = calls.withLock { $0.insert(call).inserted }
        if !isFirst { whenConfigured { $0.tell(.problem(.calledAgain(call: call))) } }
        return isFirst
    }

    private static let callsOfProcess = Guarded<Set<String>>([])

    // MARK: The instance

    /// The shared instance, once there is one; nil where the task is cancelled before.
    package static func configured() async -> Eyot? {
        let (instances, instance) = AsyncStream.makeStream(of: Eyot.self)
        whenConfigured { instance.yield($0) }
        for await found in instances { return found }
        return nil
    }

    /// Does something beside everything else for as long as it takes, as if this were the shared instance.
    package func perform(_ work: @escaping @Sendable () async -> Void) {
        // An instance that never runs must not keep itself.
        ask(for: .work { [weak self] in await self?.asShared { await work() } })
    }

    /// Who is logged in; nil for nobody, and until the instance runs or is told.
    package var user: String? { person.withLock { $0 ?? nil } }

    /// What happens from now on. Whoever listens here takes nothing from the listeners to ``events``.
    package var laterEvents: AsyncStream<EyotEvent> { hub.listen(hearingEarlier: false) }

    /// Does something after all calls before, and answers what comes of it; nil where the instance or the task is over before.
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

    /// What the app's backend signed about the person who is logged in.
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

    /// The server may no longer start cards of types that earlier launches registered, save these and those of this
    /// launch.
    package func endStarts(except types: Set<String>) {
        ask(
            for: .begin { [ledger] in
                await ledger.endStarts(except: types)
                return nil
            })
    }

    /// The server may no longer start cards of these types, by their own names or by those of their registrations; nil
    /// for all.
    ///
    /// - Returns: the types that this ends, by their own names.
    package func endStarts(of names: [String]?) async -> Set<String> {
        await inTurn { [ledger] in await ledger.endStarts(of: names) } ?? []
    }

    /// The start token of a type is not followed any more in this launch. The server keeps what it has.
    package func pauseStarts(of type: String) {
        ask(
            for: .begin { [ledger] in
                await ledger.pauseStarts(of: type)
                return nil
            })
    }

    // MARK: Cards

    /// Stops following the card with this id of ActivityKit's.
    package func stopTracking(instance: String) { ask(for: .stopTracking(instance: instance)) }

    /// Returns when a card that is followed, or is about to be, is followed no more, and when the task is cancelled.
    package func untilForgotten(_ instance: String) async {
        // After the calls before: a card that is not followed then has gone already, or was never there.
        guard await inTurn({}) != nil else { return }
        for await status in statusUpdates(ofInstance: instance) where status == .notTracked { return }
    }

    /// Stops following the cards of a name, as ``stopTracking(_:)-(Activity<Attributes>)`` does with one.
    package func stopTracking(name: String) {
        ask(
            for: .begin { [ledger] in
                await ledger.stopTracking(allNamed: name)
                return nil
            })
    }

    /// Stops following the cards of a type, nil for all, and lets the server start no more of them.
    package func cancel(type: String?) {
        ask(
            for: .begin { [ledger] in
                await ledger.cancel(type: type)
                return nil
            })
    }

    /// The card that is followed under this id of ActivityKit's.
    package func card(ofInstance instance: String) async -> Card? { await ledger.followed[instance]?.card.card }

    /// What the phone has and the server has not taken yet: types with a start token, and cards with an update token.
    package func unconfirmed() async -> (types: [String], cards: [Card]) { await ledger.unconfirmed }
}
