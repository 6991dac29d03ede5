import EyotContract
import EyotDomain

/// Reading of the API's answers.
extension JSONValue {
    /// A member by its path; nil if a part of it is missing.
    subscript(_ path: String...) -> JSONValue? {
        path.reduce(self as JSONValue?) { value, name in value?.object?[name] }
    }

    /// The text of a member; empty if there is none.
    func text(_ path: String...) -> String {
        path.reduce(self as JSONValue?) { value, name in value?.object?[name] }?.string ?? ""
    }

    /// The elements of a member; empty if there is none.
    func list(_ name: String) -> [JSONValue] { object?[name]?.array ?? [] }

    /// The texts of a member.
    func texts(_ name: String) -> [String] { list(name).compactMap(\.string) }

    /// The moment of a member; nil if there is none.
    func moment(_ name: String) -> Moment? { Moment(object?[name]) }
}
