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

    /// A kind of the vendor's events.
    package struct Name: Sendable {
        /// The name as lines have it.
        package var name: String
        /// Another name of the kind; nil if it has one only.
        package var alias: String?
        /// The kinds of ours that it is made from.
        package var kinds: Set<EventKind>

        package init(_ name: String, alias: String? = nil, _ kinds: Set<EventKind>) {
            (self.name, self.alias, self.kinds) = (name, alias, kinds)
        }
    }

    package let names: [Name]
    /// What an event is in the vendor's words: nothing, or one line or several.
    package let lines: @Sendable (EventView, EventDetails) -> [Line]

    package init(names: [Name], lines: @escaping @Sendable (EventView, EventDetails) -> [Line]) {
        self.names = names
        self.lines = lines
    }

    /// The kinds that have a form. Other events are left out.
    package var kinds: Set<EventKind> { names.reduce(into: []) { $0.formUnion($1.kinds) } }
}

extension [Vendor] {
    /// The kinds of ours for each name that a vendor has for events.
    package var eventNames: [String: Set<EventKind>] {
        var found: [String: Set<EventKind>] = [:]
        for name in compactMap(\.events).flatMap(\.names) {
            found[name.name] = name.kinds
            if let alias = name.alias { found[alias] = name.kinds }
        }
        return found
    }
}

/// The form in which events are told: Eyot's own, or a vendor's.
package struct EventForm: Sendable {
    /// Nil stands for Eyot's own.
    private var vendor: VendorEvents?
    /// The names of the vendor that are wanted; nil for all of them.
    private var names: Set<String>?

    /// The form that a call wants.
    ///
    /// - Parameter types: The names of kinds that the caller wants, ours or the vendor's, separated by commas; nil for
    ///   all.
    /// - Throws: `fieldInvalid` with the names of the vendors that have one.
    package init(named name: String?, types: String? = nil, of vendors: [Vendor]) throws(EyotError) {
        guard let name else { return }
        let events = try Self.events(of: name, among: vendors)
        vendor = events
        let wanted = Set((types ?? "").split(separator: ",").map(String.init))
        let named = events.names.filter { wanted.contains($0.name) || $0.alias.map(wanted.contains) ?? false }
        if !named.isEmpty, wanted.allSatisfy({ EventKind.matching($0).isEmpty }) { names = Set(named.map(\.name)) }
    }

    package init() {}

    /// The form of a vendor.
    ///
    /// - Throws: `fieldInvalid` with the names of the vendors that have one.
    static func events(of name: String, among vendors: [Vendor]) throws(EyotError) -> VendorEvents {
        guard let events = vendors.first(where: { $0.name == name })?.events else {
            let names = vendors.filter { $0.events != nil }.map(\.name).joined(separator: ", ")
            throw EyotError(
                .fieldInvalid, "\(name) is no vendor with a form of events: vendor may be \(names)", field: "vendor")
        }
        return events
    }

    /// Restricts a query to what has a form.
    package func restrict(_ query: inout EventQuery) {
        guard let vendor else { return }
        query.kinds = query.kinds.map { $0.intersection(vendor.kinds) } ?? vendor.kinds
        query.depth.hasDetails = true
    }

    /// The lines of an event.
    package func lines(of view: EventView) -> [VendorEvents.Line] {
        guard let vendor else { return [VendorEvents.Line(view.event.fact.kind.rawValue, view.json)] }
        let lines = view.details.map { vendor.lines(view, $0) } ?? []
        return names.map { names in lines.filter { names.contains($0.name) } } ?? lines
    }
}
