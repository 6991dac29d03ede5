import EyotCommands
import EyotContract
import EyotDomain

/// The form in which another vendor's customers know events.
package struct VendorEvents: Sendable {
    /// One event in the vendor's words.
    package struct Line: Sendable {
        /// The vendor's name of the kind.
        package var name: String
        package var json: JSONValue

        package init(_ name: String, _ json: JSONValue) { (self.name, self.json) = (name, json) }
    }

    /// The kinds that have a form. Other events are left out.
    package let kinds: Set<EventKind>
    /// What an event is in the vendor's words: nothing, or one line or several.
    package let lines: @Sendable (EventView, EventDetails) -> [Line]

    package init(kinds: Set<EventKind>, lines: @escaping @Sendable (EventView, EventDetails) -> [Line]) {
        self.kinds = kinds
        self.lines = lines
    }
}

/// The form of the events of an answer: Eyot's own, or a vendor's.
struct EventForm: Sendable {
    /// Nil stands for Eyot's own.
    var vendor: VendorEvents?

    /// The form that a call wants.
    ///
    /// - Throws: `fieldInvalid` with the names of the vendors that have one.
    init(named name: String?, of vendors: [Vendor]) throws(EyotError) {
        guard let name else { return }
        guard let events = vendors.first(where: { $0.name == name })?.events else {
            let names = vendors.filter { $0.events != nil }.map(\.name).joined(separator: ", ")
            throw EyotError(
                .fieldInvalid, "\(name) is no vendor with a form of events: vendor may be \(names)", field: "vendor")
        }
        vendor = events
    }

    init() {}

    /// Restricts a query to what has a form.
    func restrict(_ query: inout EventQuery) {
        guard let vendor else { return }
        query.kinds = query.kinds.map { $0.intersection(vendor.kinds) } ?? vendor.kinds
        query.depth.hasDetails = true
    }

    /// The lines of an event.
    func lines(of view: EventView) -> [VendorEvents.Line] {
        guard let vendor else { return [VendorEvents.Line(view.event.fact.kind.rawValue, view.json)] }
        return view.details.map { vendor.lines(view, $0) } ?? []
    }
}
