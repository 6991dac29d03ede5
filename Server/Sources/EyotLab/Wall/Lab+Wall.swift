import APNSSimulator
import Crypto
import EyotContract
import Foundation

extension Lab {
    /// The address of the wall of phones, with the pass that opens it in a browser.
    public var wallURL: String {
        inner.withLock { "\($0.control)/phones?pass=\(Self.wallPass(of: $0.secrets.controlSecret))" }
    }

    /// How many browsers show the wall.
    public var wallViewers: Int { wall.viewers.count }

    /// Waits until no browser shows the wall, or until the task is cancelled.
    public func untilWallCloses() async throws {
        // Phones signal at least once a second.
        for await _ in changeSignals() where wallViewers == 0 { return }
        throw CancellationError()
    }

    /// The wall at this moment as SVG: the declared states, and each phone with what it shows.
    public func wallSVG() async -> String {
        let picture = await wall.picture(of: self)
        return WallSVG(picture, at: now).text
    }

    /// The word in the wall's address. It opens the page and does not reveal the lab's secret.
    static func wallPass(of secret: String) -> String { derived("wall pass", from: secret) }

    /// The value of the cookie that an open page has.
    static func wallCookie(of secret: String) -> String { derived("wall cookie", from: secret) }

    private static func derived(_ use: String, from secret: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(use.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return HexBytes.text(of: Array(code.prefix(16)))
    }

    /// What the wall says about everything that is no phone.
    var wallStatus: JSONValue {
        get async {
            let isRunning = await nodes.contains { $0.state == .running }
            let (speed, standing) = inner.withLock { ($0.speed, $0.standing) }
            var object = JSONObject([
                (
                    "now",
                    .string(RFC3339.text(of: Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))))
                ),
                ("speed", .finite(speed) ?? 1), ("server", .string(isRunning ? "running" : "down")),
                ("pushes", .integer(simulator.requestCount)), ("waitingFaults", .integer(simulator.faults.count)),
            ])
            object["fault"] = standing?.json
            return .object(object)
        }
    }

    // MARK: Speed

    /// The most seconds of the lab's clock in one second.
    static let speedLimit = 3_600.0

    /// Lets the lab's clock run faster, in steps of one second of the wall clock.
    ///
    /// - Parameter speed: how many seconds pass in a second, from 1.
    func setSpeed(_ speed: Double) { inner.withLock { $0.speed = speed } }

    /// Advances the clock by what a second at the present speed is more than a second.
    func keepSpeed() async throws {
        let speed = inner.withLock { $0.speed }
        if speed > 1 { try await advanceClock(by: speed - 1) }
    }
}

/// The fault of all pushes, as it was set.
struct StandingVerdict: Sendable {
    var verdict: JSONValue
    /// 1 for each push, 10 for each tenth.
    var every: Int

    var json: JSONValue { ["verdict": verdict, "every": .integer(every)] }
}
