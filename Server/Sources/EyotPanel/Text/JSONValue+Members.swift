import EyotContract

/// Short ways into answers of the API.
extension JSONValue {
    /// The member at a path of names; nil if there is none, or if it is null.
    func at(_ names: String...) -> JSONValue? {
        var value: JSONValue? = self
        for name in names { value = value?.object?[name] }
        return value == .null ? nil : value
    }

    /// The number at a path of names; 0 if there is none.
    func count(_ names: String...) -> Int {
        var value: JSONValue? = self
        for name in names { value = value?.object?[name] }
        return value?.integer ?? 0
    }

    /// The objects of an array.
    var objects: [JSONValue] { array?.filter { $0.object != nil } ?? [] }
}
