import APNSSimulator
import APNSWire
import EyotContract
import EyotLab
import Synchronization

/// Very many phones behind Apple's side, each with one card.
final class Crowd: PushReceiver {
    /// The counts of pushes over all phones.
    struct Counts: Sendable {
        var pushes = 0
        var starts = 0
        var repeated = 0
        var late = 0
        var sameSecond = 0
        var backwards = 0
        /// Pushes to unknown tokens, or with content that was not declared.
        var strange = 0
    }

    private struct State {
        /// The phones by number. The first one is a placeholder.
        var phones: [CrowdPhone]
        var counts = Counts()
        /// The number of cards that show each declaration.
        var showing: [Int: Int] = [:]
        /// Phones with a started card and a token that the server does not have yet.
        var unreported: Set<Int> = []
        /// The content of payloads. Payloads of one second and template are equal.
        var read: [[UInt8]: CrowdPush] = [:]
    }

    private static let payloadsKept = 1_000

    /// Signals of changes.
    let changes = FleetChanges()
    private let numbers: [PushToken: Int]
    private let state: Mutex<State>

    init(_ script: CrashScript) {
        var numbers: [PushToken: Int] = [:]
        var state = State(phones: [CrowdPhone(isRunning: false)])
        for number in script.phones {
            for bytes in [BenchStore.token(number), BenchStore.startToken(number)] {
                if let token = PushToken(bytes: bytes) { numbers[token] = number }
            }
            state.phones.append(CrowdPhone(isRunning: script.running.contains(number)))
        }
        state.showing[0] = script.running.count
        self.numbers = numbers
        self.state = Mutex(state)
    }

    var counts: Counts { state.withLock(\.counts) }
    var phones: [CrowdPhone] { state.withLock(\.phones) }
    var unreported: [Int] { state.withLock { Array($0.unreported) } }

    /// Whether each card shows this declaration or a newer one.
    func everybodyShows(_ number: Int) -> Bool {
        state.withLock { state in state.showing.allSatisfy { $0.key >= number || $0.value == 0 } }
    }

    func receive(_ push: ReceivedPush) -> PushReception {
        let reception: PushReception = state.withLock { state in
            guard let number = numbers[push.token], let said = Self.read(push.payload, &state) else {
                state.counts.strange += 1
                return .refused(.badDeviceToken)
            }
            let before = state.phones[number]
            let reception = state.phones[number].take(said)
            state.counts.add(reception, of: said)
            if said.event == .start, !before.hasReported { state.unreported.insert(number) }
            Self.note(before, state.phones[number], &state)
            return .accepted
        }
        changes.signal()
        return reception
    }

    /// Records that the server has a phone's token, and applies its answer.
    func reported(_ number: Int, _ card: CardState?) {
        state.withLock { state in
            let before = state.phones[number]
            state.phones[number].hasReported = true
            if let card { state.phones[number].take(card) }
            state.unreported.remove(number)
            Self.note(before, state.phones[number], &state)
        }
        changes.signal()
    }

    private static func note(_ before: CrowdPhone, _ after: CrowdPhone, _ state: inout State) {
        if before.hasCard { state.showing[before.shown, default: 0] -= 1 }
        if after.hasCard { state.showing[after.shown, default: 0] += 1 }
    }

    private static func read(_ payload: [UInt8], _ state: inout State) -> CrowdPush? {
        if let known = state.read[payload] { return known }
        guard let push = CrowdPush(payload) else { return nil }
        if state.read.count >= payloadsKept { state.read = [:] }
        state.read[payload] = push
        return push
    }
}

extension Crowd.Counts {
    fileprivate mutating func add(_ reception: CrowdPhone.Reception, of push: CrowdPush) {
        pushes += 1
        if push.event == .start { starts += 1 }
        switch reception {
        case .new: break
        case .repeated: repeated += 1
        case .late: late += 1
        case .sameSecond: sameSecond += 1
        case .backwards: backwards += 1
        }
    }
}
