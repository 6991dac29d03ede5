// Re-exports the conformances of cards' attributes, ActivityKit or its stand-in, and the values in events. An app that
// imports only this module can use the members of all of them.
@_exported import EyotAttributes
@_exported import EyotContract
import Foundation

/// The SDK. It reports cards to the server and applies the server's answers to them.
///
/// All state belongs to an instance; ``shared`` is a convenience. Calls return at once and are carried out in order
/// while the instance runs: from ``start()``, or inside ``run()``, to ``stop()``. An instance runs once.
public final class Eyot: Sendable {
    /// The configuration of the instance.
    public let configuration: EyotConfiguration

    let ledger: InstallationLedger
    let sender: OutboxSender
    let board = StatusBoard()
    let hub = EventHub<EyotEvent>()
    /// Publishes an event, and writes a problem to the app's log.
    let publish: @Sendable (EyotEvent) -> Void
    /// The user. The outer nil means not known yet: neither a call nor the file of earlier launches has said. The inner
    /// nil means logged out.
    let person = Guarded<String??>(nil)
    /// The join secrets of this launch, for questions that do not wait for earlier orders.
    let joinSecrets = Guarded(JoinSecretsOfLaunch())
    /// The calls that take effect once in a launch and were made.
    let firstCalls = Guarded<Set<String>>([])
    /// Whether the instance has stopped. It never runs again.
    let isOver = Guarded(false)
    private let isStopReported = Guarded(false)
    private let systemSignals: any SystemSignalSource
    private let orders: AsyncStream<Order>
    private let order: AsyncStream<Order>.Continuation

    /// The most orders that wait before the instance runs. Further ones are refused and reported.
    static let orderLimit = 1_000

    /// A call of the app that waits to be carried out.
    enum Order: Sendable {
        case identify(String, signature: String?)
        case profile(ProfileEdit)
        case tapped(name: String)
        case logout
        case stopTracking(instance: String)
        /// Nil for all types.
        case stopTrackingAll(type: String?)
        case changedLocally(instance: String)
        case endStarts(type: String)
        case endStartsNamed(String)
        case retryNow
        /// Work that runs beside everything else.
        case work(@Sendable () async -> Void)
        /// Work that runs before the next order, and may return further work to run beside everything else.
        case begin(@Sendable () async -> (@Sendable () async -> Void)?)
    }

    /// Makes an instance that talks to the configured server.
    public convenience init(configuration: EyotConfiguration, transport: any Transport = URLSessionTransport()) {
        self.init(
            configuration: configuration, transport: transport, clock: SystemClock(), signals: SystemSignals(),
            chance: { Double.random(in: 0..<1) })
    }

    /// Makes an instance with another clock, other signals of the system, and `chance`, which returns values from 0 up
    /// to 1.
    package init(
        configuration: EyotConfiguration, transport: any Transport, clock: any KitClock,
        signals systemSignals: any SystemSignalSource = SystemSignals(), chance: @escaping @Sendable () -> Double
    ) {
        self.configuration = configuration
        self.systemSignals = systemSignals
        let (hub, log) = (self.hub, configuration.log)
        publish = { event in
            if case .problem(let problem) = event { log("Eyot: \(problem)") }
            hub.publish(event)
        }
        let (orders, order) = AsyncStream.makeStream(of: Order.self, bufferingPolicy: .bufferingOldest(Self.orderLimit))
        // The ledger signals once until the sender has looked, so this never fills up.
        let (signals, signal) = AsyncStream.makeStream(
            of: OutboxSender.Signal.self, bufferingPolicy: .bufferingOldest(64))
        (self.orders, self.order) = (orders, order)
        ledger = InstallationLedger(
            file: StateFile(directory: configuration.directory), clock: clock,
            osVersion: configuration.capabilities.osVersion, build: configuration.build, board: board,
            announce: publish, log: log,
            somethingToSend: { signal.yield($0) })
        sender = OutboxSender(
            ledger: ledger, transport: transport, clock: clock, chance: chance, configuration: configuration,
            permissions: { DevicePermissions.current }, signals: signals, signal: signal)
    }

    // MARK: Running

    /// Begins to run, in a task that inherits from the caller.
    public func start() {
        Task { await run() }
    }

    /// Runs until ``stop()``, or until the task is cancelled. For apps and tests that own their tasks; others call
    /// ``start()``.
    ///
    /// If another instance uses the folder, this one waits until that is gone.
    public func run() async {
        await runUntilOver()
        order.finish()
        hub.finish()
        // Another instance may use the folder from here on.
        await ledger.close()
    }

    private func runUntilOver() async {
        guard configuration.capabilities.activities else {
            let osVersion = configuration.capabilities.osVersion
            let isOnMac = configuration.capabilities.isOnMac
            return publish(.problem(isOnMac ? .unavailableOnMac : .systemTooOld(osVersion: osVersion)))
        }
        defer { isOver.withLock { $0 = true } }
        var patience = StateFile.firstPatience
        while await !ledger.open() {
            guard await sender.clock.hasPassed(seconds: patience) else { return }
            patience = StateFile.patience
        }
        let user = await ledger.state.user
        person.withLock { $0 = $0 ?? .some(user) }
        if !configuration.capabilities.isDeclared {
            publish(.problem(.infoPlistKeyMissing(key: Capabilities.declaration)))
        }
        await withTaskGroup(of: Wakeup.self) { group in
            group.addTask { [sender] in
                await sender.run()
                return .finished
            }
            if #available(iOS 16.2, *) {
                await PermissionFollower(ledger: ledger).follow(in: &group)
                let housekeeping = Housekeeping(ledger: ledger, sender: sender, source: systemSignals)
                group.addTask {
                    await housekeeping.run()
                    return .finished
                }
            }
            group.addTask { .order(await self.nextOrder()) }
            while let wakeup = await group.next() {
                guard case .order(let order) = wakeup else { continue }
                guard let order else { break }
                if let work = await carryOut(order) {
                    group.addTask {
                        await work()
                        return .finished
                    }
                }
                group.addTask { .order(await self.nextOrder()) }
            }
            group.cancelAll()
        }
    }

    /// Stops running. Unsent changes are kept, and the next instance on the same folder sends them.
    ///
    /// Calls after it do nothing, and the first of them is reported.
    public func stop() {
        isOver.withLock { $0 = true }
        order.finish()
    }

    /// The reasons why the running instance wakes.
    enum Wakeup: Sendable {
        /// An order; nil after the last one.
        case order(Order?)
        /// A piece of work is done.
        case finished
    }

    private func nextOrder() async -> Order? {
        for await order in orders { return order }
        return nil
    }

    /// Carries out an order. Returns work that runs beside other work, if there is any.
    private func carryOut(_ order: Order) async -> (@Sendable () async -> Void)? {
        switch order {
        case .identify(let user, let signature):
            await ledger.identify(user, signature: signature, configuration.cardsOnLogout)
        case .profile(let edit): await ledger.change(edit)
        case .tapped(let name): await ledger.tapped(name)
        case .logout: await ledger.logout(configuration.cardsOnLogout)
        case .stopTracking(let instance): await ledger.stopTracking(instance)
        case .stopTrackingAll(let type): await ledger.stopTracking(allOf: type)
        case .changedLocally(let instance): await ledger.changedLocally(instance)
        case .endStarts(let type): await ledger.endStarts(of: type)
        case .endStartsNamed(let name): await ledger.endStarts(named: name)
        case .retryNow:
            await ledger.askForStates()
            sender.signal.yield(.retryNow)
        case .work(let work): return work
        case .begin(let body): return await body()
        }
        return nil
    }

    func ask(for order: Order) {
        switch self.order.yield(order) {
        case .dropped: publish(.problem(.tooManyOrders))
        case .terminated where isOver.withLock({ $0 }):
            let isFirst = isStopReported.withLock { reported in
                defer { reported = true }
                return !reported
            }
            if isFirst { publish(.problem(.stopped)) }
        default: break
        }
    }

    /// A stream of events from now on, for one more reader. The first reader also gets earlier events. The latest 256
    /// events wait for a slow reader; older ones are dropped.
    public var events: AsyncStream<EyotEvent> { hub.listen(hearingEarlier: true) }

    /// Reports every followed card once more, with its token, and applies the server's answers. Does not wait for a
    /// pause between two tries, except the part that the server asked for (`Retry-After`).
    ///
    /// The SDK does this by itself when the app comes to the foreground and when the network is back. Apple keeps one
    /// push for an app while a phone is away, so all but one of its cards may have missed theirs.
    public func retryNow() { ask(for: .retryNow) }

    /// Returns the progress of the card of this name.
    public func status(of name: String) -> CardStatus { board.status(of: .name(name)) }

    /// Returns a stream of the progress of the card of this name and its changes. If another card takes the name, the
    /// stream continues with that card.
    public func statusUpdates(of name: String) -> AsyncStream<CardStatus> { board.updates(of: .name(name)) }

    /// Returns a stream of the progress of this one card and its changes.
    ///
    /// - Parameter instance: ActivityKit's id, `Activity.id`.
    public func statusUpdates(ofInstance instance: String) -> AsyncStream<CardStatus> {
        board.updates(of: .instance(instance))
    }
}
