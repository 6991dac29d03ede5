import EyotContract
import Foundation

/// The reading of a state from lines of which some may be broken. What can be read is kept, so a torn file costs its
/// torn lines and not the person.
struct KitStateReader {
    private var state: KitState
    private var entries: [DeviceChange] = []
    private var profile: DeviceProfile?
    /// Whether there was a change of an unknown kind.
    private var isForeign = false

    /// Reads lines. Unknown kinds of records and of changes, which a newer version may write, are ignored. After an
    /// unknown change and after a broken line the SDK reports its whole state again.
    ///
    /// - Parameter lines: the lines in their order; nil for one that is not JSON.
    /// - Returns: the state and the number of broken lines. Nil without a head that this version reads.
    static func read(_ lines: [JSONValue?]) -> (state: KitState, broken: Int)? {
        let first = lines.first ?? nil
        let heads = lines.compactMap(\.self).filter(isHead)
        guard let head = first.flatMap({ isHead($0) ? $0 : nil }) ?? heads.last, var reader = try? Self(head: head)
        else { return nil }
        // A file without its last lines was not written to its end.
        let isTorn = head.object?["isRepeated"] == true && !lines.dropFirst().contains(head)
        var broken = 0
        for line in lines {
            do {
                guard let line else { throw JSONFieldError(path: "", .missing) }
                try reader.take(line)
            } catch {
                broken += 1
            }
        }
        if broken == 0, isTorn || first != head { broken = 1 }
        return (reader.end(isWhole: broken == 0), broken)
    }

    private static func isHead(_ line: JSONValue) -> Bool {
        line.object?["kind"]?.string == KitState.Kind.eyot.rawValue
    }

    private init(head line: JSONValue) throws(JSONFieldError) {
        var head = try JSONFields(line)
        guard try head.integer("format") == KitState.format else {
            throw head.invalid("format", "is not one that this version reads")
        }
        state = KitState(installation: try head.identifier("installation"))
        state.user = try head.string("user")
        state.signature = try head.string("signature").flatMap(IdentitySignature.init)
        if var told = try head.fields("permissions") { state.permissions = try DevicePermissions(fields: &told) }
        state.untold = Set(try head.strings("untold")?.compactMap(KitState.Untold.init) ?? [])
        state.outbox = Outbox(
            entries: [], lastSequence: try head.required("lastSequence", head.integer("lastSequence")))
    }

    /// Takes a record. Of two with one key the first counts: the second is older, if a new file was written over an old
    /// one and not to its end.
    private mutating func take(_ line: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(line)
        switch KitState.Kind(rawValue: try fields.required("kind", fields.string("kind"))) {
        case .registration:
            let found = try Registered(fields: &fields)
            state.registration = state.registration ?? found
        case .former: state.formerRegistrations.append(try Registered(fields: &fields))
        case .profile:
            let found = try DeviceProfile(json: fields.required("profile", fields.object("profile")))
            profile = profile ?? found
        case .startToken:
            let type = try fields.identifier("type")
            let found = try StartTokenRecord(fields: &fields)
            state.startTokens[type] = state.startTokens[type] ?? found
        case .startName: state.startNames[try fields.identifier("name")] = try fields.identifier("type")
        case .endedStart: state.endedStartTypes.append(try fields.identifier("type"))
        case .card:
            let card = try KnownCard(fields: &fields)
            state.cards[card.instance] = state.cards[card.instance] ?? card
        case .ended: state.endedNames.keep(try fields.identifier("name"), of: try fields.identifier("instance"))
        case .joinSecret:
            let name = try fields.identifier("name")
            if let secret = try fields.string("secret").flatMap(JoinSecret.init) {
                state.joinSecrets.keep(secret, for: name)
            }
        case .change: try takeChange(try fields.required("change", fields.object("change")))
        case .eyot, nil: break
        }
    }

    private mutating func takeChange(_ stored: JSONValue) throws(JSONFieldError) {
        guard let change = try? DeviceChange(json: stored, at: "change") else {
            isForeign = true
            return
        }
        guard change.sequence > entries.last?.sequence ?? 0 else {
            throw JSONFieldError(path: "change.sequence", .invalid("must rise"))
        }
        entries.append(change)
    }

    private func end(isWhole: Bool) -> KitState {
        var state = state
        if let profile {
            state.profile = profile
            state.hasToldProfile = true
        }
        state.outbox = Outbox(entries: entries, lastSequence: state.outbox.lastSequence)
        if isForeign || !isWhole { state.registration?.doubt() }
        return state
    }
}
