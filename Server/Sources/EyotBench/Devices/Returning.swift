import Foundation
import Synchronization

/// Phones that come back within a short time, each on a new connection with one report, whether or not the server keeps
/// up. A phone that is refused comes again, as the SDK does.
struct Returning: Sendable {
    /// The number of phones that come.
    var phones: Int
    /// The seconds within which they come.
    var seconds: Double
    /// Calls that can be under way at a time. A phone that finds none free is late, and its wait counts that.
    var callers = Self.mostCallers

    static let mostCallers = 2_000
    /// The number of phones to each one with a changed token. The others have nothing new.
    static let changedShare = 5
    /// The most calls of one phone.
    private static let attempts = 5

    /// One call of a phone.
    private struct Arrival: Sendable {
        var number: Int
        var due: Double
        var attempt = 1
    }

    private struct State {
        var next = 0
        /// Refused calls, by the second in which they come again.
        var again: [Int: [Arrival]] = [:]
        /// Phones with an answer, or without one for good.
        var done = 0
        var outcome = Outcome()
    }

    /// The answers that the phones got.
    struct Outcome: Sendable {
        var waits: [Double] = []
        /// The most phones that had come and had no answer yet.
        var longestQueue = 0
        /// Answers by their status; 0 for a call without an answer.
        var statuses: [Int: Int] = [:]
        /// Seconds after which refused phones were asked to come again.
        var asked: [Double] = []
        /// Phones that were never answered well.
        var lost = 0
        /// Seconds until the last phone was done.
        var seconds = 0.0
        /// CPU of the callers in seconds.
        var cpu = 0.0
    }

    /// Lets the phones come.
    ///
    /// - Parameter call: returns the bytes of a phone's call, by the number of its arrival.
    func run(_ load: HTTPLoad, _ call: @escaping @Sendable (Int) -> [UInt8]) async -> Outcome {
        let (state, began) = (Course(self), ContinuousClock.now)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            while let arrival = state.next(at: began.duration(to: .now).seconds) {
                                let early = arrival.due - began.duration(to: .now).seconds
                                if early > 0 { Thread.sleep(forTimeInterval: early) }
                                let connection = HTTPConnection(port: load.port, tls: load.tls)
                                let answer = connection?.answer(to: call(arrival.number))
                                state.note(answer, of: arrival, at: began.duration(to: .now).seconds)
                            }
                            state.note(cpu: ProcessUsage.threadCPU)
                            continuation.resume()
                        }
                    }
                }
            }
        }
        return state.outcome
    }

    /// The calls to come, and the answers to earlier ones.
    private final class Course: Sendable {
        private let plan: Returning
        private let state = Mutex(State())

        init(_ plan: Returning) { self.plan = plan }

        var outcome: Outcome { state.withLock(\.outcome) }

        func note(cpu: Double) { state.withLock { $0.outcome.cpu += cpu } }

        /// The next call: one that comes again, or that of the next phone. Nil at the end.
        func next(at now: Double) -> Arrival? {
            while true {
                let found: (arrival: Arrival?, isOver: Bool) = state.withLock { state in
                    if let second = state.again.keys.min(), Double(second) <= now || state.next >= plan.phones {
                        let arrival = state.again[second]?.popLast()
                        if state.again[second]?.isEmpty == true { state.again[second] = nil }
                        return (arrival, false)
                    }
                    guard state.next < plan.phones else { return (nil, state.done >= plan.phones) }
                    defer { state.next += 1 }
                    return (
                        Arrival(number: state.next, due: Double(state.next) * plan.seconds / Double(plan.phones)), false
                    )
                }
                if found.arrival != nil || found.isOver { return found.arrival }
                // Others are still under way, and may be refused.
                Thread.sleep(forTimeInterval: 0.05)
            }
        }

        func note(_ answer: HTTPAnswer?, of arrival: Arrival, at now: Double) {
            state.withLock { state in
                let came = min(plan.phones, Int(now / plan.seconds * Double(plan.phones)))
                state.outcome.longestQueue = max(state.outcome.longestQueue, came - state.done)
                state.outcome.statuses[answer?.status ?? 0, default: 0] += 1
                state.outcome.seconds = now
                if let asked = answer?.retryAfter { state.outcome.asked.append(asked) }
                if answer?.isSuccess != true, arrival.attempt < Returning.attempts {
                    // The SDK waits as long as it is asked to, or twice as long each time, and half by chance.
                    let pause = max(answer?.retryAfter ?? 0, Double(1 << arrival.attempt)) * .random(in: 0.5..<1)
                    var again = arrival
                    again.attempt += 1
                    state.again[Int(now + pause) + 1, default: []].append(again)
                    return
                }
                state.done += 1
                if answer?.isSuccess == true {
                    state.outcome.waits.append(now - arrival.due)
                } else {
                    state.outcome.lost += 1
                }
            }
        }
    }
}
