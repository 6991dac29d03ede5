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
    }

    let all: [Alarm]

    init(_ app: App, _ pushing: PushingStatus) {
        var all: [Alarm] = []
        if let finding = pushing.finding { all.append(Alarm(finding, path: "/panel/server", action: "Open server")) }
        if let since = app.haltedAt {
            all.append(
                Alarm(Halt(by: .app, since: since).finding, path: "/panel/app", action: "Open app"))
        }
        for environment in PushEnvironment.allCases {
            guard let pause = app.pauses[environment] else { continue }
            all.append(Alarm(pause.finding(in: environment), path: "/panel/app", action: "Open key"))
        }
        for type in app.haltedTypes.keys.sorted() {
            let path = "/panel/types/\(type)"
            all.append(
                Alarm(
                    head: "The type \(type) is halted.", text: "Nothing is sent to its cards.", path: path,
                    action: "Open type"))
        }
        self.all = all
    }
}

extension AppAlarms.Alarm {
    fileprivate init(_ finding: Finding, path: String, action: String) {
        self.init(
            head: finding.sentence,
            text: (finding.evidence + [finding.code.remedy].compactMap(\.self)).joined(separator: " "),
            path: path, action: action)
    }
}
