/// A version of iOS, such as `17.2`, to the precision that matters for Live Activities.
public struct IOSVersion: Sendable, Hashable, Comparable {
    /// The first number.
    public let major: Int
    /// The second number; 0 if there is none.
    public let minor: Int

    /// The version with these two numbers.
    public init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// The version that a text names: one to three numbers with points; the third is dropped. Nil otherwise.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard (1...3).contains(parts.count), numbers.count == parts.count,
            numbers.allSatisfy({ (0...999).contains($0) })
        else { return nil }
        self.init(numbers[0], numbers.count > 1 ? numbers[1] : 0)
    }

    /// The older version is the smaller.
    public static func < (left: IOSVersion, right: IOSVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }
}

extension IOSVersion {
    /// The first with Live Activities.
    public static let activities = IOSVersion(16, 1)
    /// The first with push-to-start tokens, and with updates that carry a timestamp.
    public static let startTokens = IOSVersion(17, 2)
    /// The first with broadcast channels and the `input-push-…` keys.
    public static let channels = IOSVersion(18)
    /// The first that puts updates on the screen no more often than every few seconds.
    public static let slowerRendering = IOSVersion(18)
    /// The first that can schedule a Live Activity.
    public static let scheduling = IOSVersion(26)
}

extension IOSVersion: CustomStringConvertible {
    /// `17.2`
    public var description: String { "\(major).\(minor)" }
}
