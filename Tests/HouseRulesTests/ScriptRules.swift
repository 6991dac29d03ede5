import Foundation
import Testing

/// Scripts say what they are for, and fail where something fails.
enum ScriptRules {
    static func faults(of script: RepositoryFile) -> [Violation] {
        var violations: [Violation] = []
        if script.lines.first != "#!/usr/bin/env bash" {
            violations.append(Violation(script.path, line: 1, "does not begin with #!/usr/bin/env bash"))
        }
        let purpose = script.lines.dropFirst().first ?? ""
        if purpose.wholeMatch(of: /# [A-Z].{20,}[.:]/) == nil {
            violations.append(Violation(script.path, line: 2, "does not say in a sentence what it is for"))
        }
        if !script.lines.contains("set -euo pipefail") {
            violations.append(Violation(script.path, "goes on where something fails"))
        }
        return violations
    }
}

@Suite("Scripts")
struct ScriptTests {
    private let here = Repository.here

    @Test func `Every script says what it is for and fails where something fails`() {
        #expect(here.scripts.count >= 7)
        #expect(here.scripts.flatMap(ScriptRules.faults) == [])
    }

    @Test func `Every script can be run`() {
        for script in here.scripts {
            #expect(
                FileManager.default.isExecutableFile(atPath: here.root.appending(path: script.path).path),
                "\(script.path)")
        }
    }

    @Test func `The continuous integration runs the gates and nothing else`() throws {
        let lines = try here.file(".ci/run").lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        #expect(lines == ["set -euo pipefail", "exec \"$(dirname \"$0\")/../scripts/check\""])
    }
}

@Suite("Scripts: planted faults")
struct PlantedScriptTests {
    @Test func `A script without shebang, purpose and strictness has three faults`() {
        #expect(ScriptRules.faults(of: RepositoryFile("scripts/a", "echo hello\n# later\n")).count == 3)
        let good = "#!/usr/bin/env bash\n# Does what has to be done here.\nset -euo pipefail\n"
        #expect(ScriptRules.faults(of: RepositoryFile("scripts/a", good)) == [])
    }
}
