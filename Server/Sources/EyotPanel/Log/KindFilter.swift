import EyotDomain
import EyotHTTP

/// The choice of one kind of event by any of its names: Eyot's own, Netmera's or Braze's. All pages of events have it.
struct KindFilter: Sendable, Equatable {
    static let parameter = "type"

    /// The names that one party has.
    struct Group {
        var title: String
        var options: [Option]
    }

    struct Option {
        var value: String
        var title: String
        var isOn: Bool
    }

    /// The name that is chosen; empty for none.
    private(set) var name = ""

    init() {}

    init(_ query: [String: String]) { name = query[Self.parameter]?.trimmed ?? "" }

    /// The parameters of a page that keep the choice.
    var parameters: [(String, String)] { name.isEmpty ? [] : [(Self.parameter, name)] }

    /// The choice as the API takes it; nil for none.
    var types: String? { name.isEmpty ? nil : name }

    /// All names, by those who have them.
    func groups(_ visit: Visit, counted: Bool = false) -> [Group] {
        let kinds = counted ? EventKind.recorded : EventKind.allCases
        var groups = [Group(title: "Eyot", options: kinds.map { option($0.rawValue, $0.rawValue) })]
        for vendor in visit.panel.api.vendors {
            guard let events = vendor.events else { continue }
            groups.append(
                Group(
                    title: vendor.name.capitalized,
                    options: events.names.map { name in
                        option(name.name, ([name.name] + [name.alias].compactMap(\.self)).joined(separator: " "))
                    }))
        }
        return groups
    }

    private func option(_ value: String, _ title: String) -> Option {
        Option(value: value, title: title, isOn: value == name)
    }
}
