import Foundation

/// The person's choices, in Settings or when asked.
public struct PhoneSettings: Sendable, Hashable, Codable {
    /// The answer to the question whether the app may continue to show Live Activities. iOS asks it on the first ones.
    public enum Answer: String, Sendable, Hashable, CaseIterable, Codable {
        /// Allow is pressed at once.
        case automatically
        /// Allow is pressed by a call of ``PhoneState/pressAllow(now:)``.
        case afterAsking
        /// Allow is never pressed.
        case never
    }

    /// Live Activities are on for the app.
    public var activitiesEnabled: Bool
    /// More frequent updates are on for the app.
    public var frequentPushesEnabled: Bool
    /// Low Power Mode is on: iOS drops pushed starts, as developers report. Running cards get their updates.
    public var lowPowerMode: Bool
    /// Until Allow is pressed, a card that a push started gets no update token.
    public var allowed: Answer
    /// Seconds by which the phone's clock is ahead of true time; negative if it is behind.
    public var clockSkew: TimeInterval

    /// Creates settings. By default everything is on and the clock is right.
    public init(
        activitiesEnabled: Bool = true, frequentPushesEnabled: Bool = true, lowPowerMode: Bool = false,
        allowed: Answer = .automatically, clockSkew: TimeInterval = 0
    ) {
        self.activitiesEnabled = activitiesEnabled
        self.frequentPushesEnabled = frequentPushesEnabled
        self.lowPowerMode = lowPowerMode
        self.allowed = allowed
        self.clockSkew = clockSkew
    }

    /// Reads settings from an archive. Older ones have no ``lowPowerMode``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        activitiesEnabled = try container.decode(Bool.self, forKey: .activitiesEnabled)
        frequentPushesEnabled = try container.decode(Bool.self, forKey: .frequentPushesEnabled)
        lowPowerMode = try container.decodeIfPresent(Bool.self, forKey: .lowPowerMode) ?? false
        allowed = try container.decode(Answer.self, forKey: .allowed)
        clockSkew = try container.decode(TimeInterval.self, forKey: .clockSkew)
    }
}
