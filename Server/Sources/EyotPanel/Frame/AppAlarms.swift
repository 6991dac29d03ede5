import EyotCommands
import EyotContract
import EyotDomain

/// What keeps an app's cards from moving, for the red line on each page.
struct AppAlarms {
    struct Alarm: Equatable {
        var head: String
        var text: String
        /// The page on which something can be done.
        var path: String
        var action: String
        /// Whether it keeps all cards of the app from moving.
        var holdsAll = false
    }

    /// The halted activities that are named. More are counted as more.
    static let named = 3

    let all: [Alarm]

    /// - Parameters:
    ///   - notPushing: Why nothing is pushed for some activities; nil if all is pushed.
    ///   - history: The history of the database; nil if it has none yet.
    ///   - halted: The names of activities that are halted themselves.
    init(_ app: App, _ notPushing: Finding?, in history: History?, halted: [String] = [], at now: Instant) {
        var all: [Alarm] = []
        if let finding = notPushing {
            all.append(Alarm(finding, path: "/panel/server", action: "Open server", holdsAll: true))
        }
        if let finding = app.haltFinding(in: history) {
            all.append(Alarm(finding, path: "/panel/app", action: "Open app", holdsAll: true))
        }
        for environment in PushEnvironment.allCases {
            if let pause = app.pauses[environment] {
                all.append(Alarm(pause.finding(in: environment), path: "/panel/app", action: "Open key"))
            } else if let finding = app.failures[environment]?.finding(in: environment, at: now) {
                all.append(Alarm(finding, path: "/panel/server", action: "Open server"))
            }
        }
        for type in app.haltedTypes.keys.sorted() {
            let path = "/panel/types/\(type)"
            all.append(
                Alarm(
                    head: "The type \(type) is halted.", text: "Nothing is sent to its cards.", path: path,
                    action: "Open type"))
        }
        if !halted.isEmpty { all.append(Self.alarm(ofHalted: halted)) }
        self.all = all
    }

    private static func alarm(ofHalted names: [String]) -> Alarm {
        let known = names.prefix(named).map { Shown.line($0, limit: 40) }.joined(separator: ", ")
        let isOne = names.count == 1
        return Alarm(
            head: names.count > named ? "\(known) and more are halted." : "\(known) \(isOne ? "is" : "are") halted.",
            text: "Nothing is sent to \(isOne ? "its" : "their") cards.",
            path: isOne ? ActivityPath(names[0]).page : "/panel", action: isOne ? "Open activity" : "Open tonight")
    }
}

extension AppAlarms.Alarm {
    fileprivate init(_ finding: Finding, path: String, action: String, holdsAll: Bool = false) {
        self.init(
            head: finding.sentence,
            text: (finding.evidence + [finding.code.remedy].compactMap(\.self)).joined(separator: " "),
            path: path, action: action, holdsAll: holdsAll)
    }
}
