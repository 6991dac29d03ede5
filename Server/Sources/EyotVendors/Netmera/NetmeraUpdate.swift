import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The body of `update-live-activity`: another state for all cards of a group, or their end.
struct NetmeraUpdate {
    private(set) var declaration: VendorDeclaration

    init(_ call: Call, isLenient: Bool) throws {
        self = try call.read { fields throws(JSONFieldError) in try NetmeraUpdate(&fields, isLenient: isLenient) }
    }

    private init(_ fields: inout JSONFields, isLenient: Bool) throws(JSONFieldError) {
        let group = try fields.required("groupId", fields.netmeraGroup())
        let ends: Bool
        let action = try fields.required("action", fields.string("action"))
        switch isLenient ? action.uppercased() : action {
        case "UPDATE": ends = false
        case "END": ends = true
        default: throw fields.invalid("action", "must be UPDATE or END, in capitals")
        }
        declaration = VendorDeclaration(ends ? .end : .update, group, names: NetmeraPlane.names)
        let state = try fields.object("contentState")
        declaration.body.content.state = ends ? state : try fields.required("contentState", state)
        declaration.body.content.priority = try fields.applePriority("priority")
        try readDates(&fields, ends: ends, isLenient: isLenient)
        declaration.ignore(fields.unread)
    }

    /// Reads the dates, both in UTC. A stale date belongs to an update, and a dismissal date to an end.
    private mutating func readDates(
        _ fields: inout JSONFields, ends: Bool, isLenient: Bool
    ) throws(JSONFieldError) {
        for (name, isInPlace) in [("staleDate", !ends), ("dismissalDate", ends)] {
            guard isLenient || isInPlace || fields.value(name) == nil else {
                throw fields.invalid(name, "does not belong to \(ends ? "END" : "UPDATE")")
            }
            guard let date = try fields.netmeraDate(name, isLenient: isLenient) else { continue }
            switch (name, isInPlace) {
            case ("staleDate", true): declaration.body.staleDate = date
            case ("dismissalDate", true): declaration.body.dismissalDate = date
            default: declaration.ignore([name])
            }
        }
    }
}
