import PhoneSimulator
import Testing

/// Runs a test on a phone by the default rules, and once more for each switch of ``PhoneRules`` in each other position.
struct UnderEverySwitch: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        let exceptions = test.traits.compactMap { $0 as? LeavingSwitches }.reduce(into: Set<String>()) {
            $0.formUnion($1.names)
        }
        for choice in PhoneRules.switches where !exceptions.contains(choice.name) {
            var rules = PhoneRules()
            choice.flip(&rules)
            let naming = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append("on a phone with \(choice)")
                return issue
            }
            try await Rig.$rules.withValue(rules) {
                try await naming.provideScope(for: test, testCase: testCase, performing: function)
            }
        }
    }
}

extension Trait where Self == UnderEverySwitch {
    /// Every test of the suite runs under each switch of the phone, too.
    static var underEverySwitch: Self { Self() }
}

/// Switches that a test of such a suite leaves as they are, since their default is what it needs.
struct LeavingSwitches: TestTrait {
    let names: Set<String>
}

extension Trait where Self == LeavingSwitches {
    /// Leaves these as they are.
    static func leaving(_ names: String...) -> Self { Self(names: Set(names)) }

    /// Leaves all as they are.
    static var leavingAllSwitches: Self { Self(names: Set(PhoneRules.switches.map(\.name))) }
}
