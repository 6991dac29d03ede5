import EyotDomain
import Testing

@Suite("What takes an operation's place")
struct OperationStateTests {
    private static let now = Instant(second: 1_700_000_000)

    private let activity = Activity(
        id: ActivityID(rawValue: 1), app: AppID(rawValue: 1), name: "m", generation: 1, type: "Match", createdAt: now)

    private func operation(
        _ verb: DeclarationRequest.Verb, _ activity: Activity, members: Int? = nil, starting: Int = 0, pending: Int = 0
    ) -> Operation {
        var operation = Operation(
            app: activity.app, verb: verb, name: activity.name, activity: activity.id, generation: 1,
            version: activity.version, outcome: .applied, acceptedAt: Self.now)
        (operation.members, operation.starting, operation.pending) = (members, starting, pending)
        return operation
    }

    /// Declares, as it is told, one after the other.
    ///
    /// - Returns: what each one's operation is superseded by in the end.
    private func successor(
        of first: (Declaration.Kind, Declaration.Scope, asOf: Instant?),
        after second: (Declaration.Kind, Declaration.Scope, asOf: Instant?), starting: Int = 0, pending: Int = 0
    ) -> Int? {
        var activity = activity
        _ = activity.declare(Declaration.Draft(first.0, Content(), scope: first.1, asOf: first.asOf), at: Self.now)
        let members: Int? = if case .members(let count) = first.1 { count } else { nil }
        var operation = operation(
            first.0 == .end ? .end : starting + pending > 0 ? .start : .update, activity, members: members,
            starting: starting, pending: pending)
        operation.asOf = first.asOf
        _ = activity.declare(Declaration.Draft(second.0, Content(), scope: second.1, asOf: second.asOf), at: Self.now)
        let successor = operation.successor(in: activity)
        #expect(operation.state(in: activity) == (successor == nil ? .accepted : .superseded))
        operation.complete(in: activity, at: Self.now)
        #expect(operation.completion?.supersededBy == successor)
        #expect(operation.state(in: activity) == (successor == nil ? .done : .superseded))
        return successor
    }

    private let some = Declaration.Scope.members(count: 3)

    @Test func `A state's is taken by what is newer for everyone`() {
        #expect(successor(of: (.state, .everyone, nil), after: (.state, .everyone, nil)) == 2)
        #expect(successor(of: (.state, .everyone, nil), after: (.end, .everyone, nil)) == 2)
        #expect(successor(of: (.state, some, nil), after: (.state, .everyone, nil)) == 2)
        #expect(successor(of: (.state, some, nil), after: (.end, .everyone, nil)) == 2)
        #expect(successor(of: (.state, .everyone, nil), after: (.state, some, nil)) == nil)
    }

    @Test func `An end's is taken by no update, and that of an end for some by nothing (R5)`() {
        #expect(successor(of: (.end, some, nil), after: (.state, .everyone, nil)) == nil)
        #expect(successor(of: (.end, some, nil), after: (.end, .everyone, nil)) == nil)
        #expect(successor(of: (.end, .everyone, nil), after: (.end, .everyone, nil)) == 2)
    }

    @Test func `A start's is taken by an end alone: it leaves with what is newer`() {
        for (starting, pending) in [(2, 0), (0, 2)] {
            for scope in [Declaration.Scope.everyone, some] {
                let start = (Declaration.Kind.state, scope, Instant?.none)
                #expect(
                    successor(of: start, after: (.state, .everyone, nil), starting: starting, pending: pending) == nil)
                #expect(successor(of: start, after: (.end, .everyone, nil), starting: starting, pending: pending) == 2)
            }
        }
    }

    @Test func `That of a state for some is not taken by one that is true of an earlier moment (R14)`() {
        let (early, late) = (Self.now, Self.now + 5)
        #expect(successor(of: (.state, some, late), after: (.state, .everyone, early)) == nil)
        #expect(successor(of: (.state, some, late), after: (.end, .everyone, early)) == 2)
        #expect(successor(of: (.state, some, early), after: (.state, .everyone, late)) == 2)
        // The next one for everyone may say a moment again, and that may be the earlier one.
        #expect(successor(of: (.state, some, late), after: (.state, .everyone, nil)) == nil)
        #expect(successor(of: (.state, some, nil), after: (.state, .everyone, early)) == 2)
    }
}
