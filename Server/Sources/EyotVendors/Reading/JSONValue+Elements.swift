import EyotContract

extension JSONValue {
    /// Reads each element of an array that is not empty, with its path.
    func elements<Element>(
        at path: String, _ read: (JSONValue, String) throws(JSONFieldError) -> Element
    ) throws(JSONFieldError) -> [Element] {
        guard let array else {
            throw JSONFieldError(path: path, .mistyped(expected: "an array", found: kind))
        }
        guard !array.isEmpty else { throw JSONFieldError(path: path, .invalid("is empty")) }
        var elements: [Element] = []
        for (index, element) in array.enumerated() { elements.append(try read(element, "\(path)[\(index)]")) }
        return elements
    }
}

extension JSONFieldError {
    /// Checks that a text may name something.
    static func checkIdentifier(_ text: String, at path: String) throws(JSONFieldError) {
        guard DeviceLimits.isIdentifier(text) else {
            throw JSONFieldError(
                path: path, .invalid("must have 1 to \(DeviceLimits.identifierBytes) bytes and no NUL"))
        }
    }
}
