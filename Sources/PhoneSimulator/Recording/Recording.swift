import Foundation

/// ActivityKit's real behaviour on a phone, recorded by an app as a file of JSON lines. The first line describes the
/// phone and the app. Each other line is an action of the app or the person, or an element that ActivityKit yielded.
///
/// The format is defined only here. The recorder that writes it runs on iPhones, and `eyot lab compare` reads it
/// elsewhere. Both use the simulator's types, so that nothing is translated between recorded and simulated behaviour.
/// It is no part of EyotKit, so an app that records nothing does not include it.
public struct Recording: Sendable, Hashable {
    /// Bytes of a file. 16 MiB are days of ordinary use.
    public static let byteLimit = 16 << 20
    /// Bytes of a line: an escaped payload of 5,120 bytes, with room. It also limits the head's schemas.
    public static let lineByteLimit = 64 << 10
    /// Lines of a file besides the first. A recorder stops there, and a reader refuses more.
    public static let lineLimit = 10_000

    /// Which phone and app it was.
    public var head: RecordingHead
    /// The lines, in the order of ``RecordedLine/moment``.
    public var lines: [RecordedLine]

    /// A recording.
    public init(head: RecordingHead, lines: [RecordedLine] = []) {
        self.head = head
        self.lines = lines
    }
}

/// The first line of a recording.
public struct RecordingHead: Sendable, Hashable {
    /// The version of iOS.
    public var os: IOSVersion
    /// The device, as `uname` calls it: `iPhone16,1`. Only people read it.
    public var model: String?
    /// The app's bundle identifier.
    public var bundleID: String
    /// Whether the app asks for a larger budget: `NSSupportsLiveActivitiesFrequentUpdates` in its Info.plist.
    public var supportsFrequentUpdates: Bool
    /// The Live Activity types that are recorded.
    public var types: [RecordedType]

    /// A head.
    public init(
        os: IOSVersion, model: String? = nil, bundleID: String, supportsFrequentUpdates: Bool = true,
        types: [RecordedType] = []
    ) {
        self.os = os
        self.model = model
        self.bundleID = bundleID
        self.supportsFrequentUpdates = supportsFrequentUpdates
        self.types = types
    }
}

/// One line after the first.
public struct RecordedLine: Sendable, Hashable {
    /// The content of a line.
    public enum Content: Sendable, Hashable {
        /// An action of the app or the person.
        case did(RecordedAction)
        /// An element or an answer of ActivityKit.
        case saw(RecordedFact)
    }

    /// By the phone's wall clock, which may be set while the app runs.
    public var time: Date
    /// Seconds by a monotonic clock since the recorder began in this process. Nil for a line that was added later by
    /// hand; its time decides its place.
    public var uptime: Double?
    /// The line's action or fact.
    public var content: Content
    /// The moment of the line: the wall clock at the launch before it, plus ``uptime`` since. Not written: a reader
    /// computes it.
    public internal(set) var moment: Date
    /// Its place in the file, from 1; 0 if it was never in one.
    public internal(set) var number = 0

    /// A line.
    public init(time: Date, uptime: Double? = nil, _ content: Content) {
        self.time = time
        self.uptime = uptime
        self.content = content
        moment = time
    }
}
