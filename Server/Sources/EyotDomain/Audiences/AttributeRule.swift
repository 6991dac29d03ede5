import EyotContract

/// A condition on an attribute of a device or its user.
package struct AttributeRule: Sendable, Hashable {
    package enum Test: Sendable, Hashable {
        case exists
        /// The value equals this one. Texts are compared by their bytes.
        case equals(AttributeValue)
        /// The text contains this text, or the array has this element.
        case contains(String)
        case atLeast(Double)
        case above(Double)
        case atMost(Double)
        case below(Double)
        /// The value is text that names a moment before this one; see ``Instant/init(dateText:)``.
        case before(AudienceTime)
        /// The value is text that names a moment after this one.
        case after(AudienceTime)
    }

    package var name: String
    /// The owner of the attribute. Nil means the user or the device: an attribute of either may fit.
    package var owner: TraitOwner?
    package var test: Test

    package init(_ name: String, of owner: TraitOwner? = nil, _ test: Test) {
        self.name = name
        self.owner = owner
        self.test = test
    }

    /// Whether a value fits. A test against a number of days fits no value until it is resolved; see
    /// ``Audience/resolved(at:named:)``.
    package func accepts(_ value: AttributeValue) -> Bool {
        switch (test, value) {
        case (.exists, _): true
        case (.equals(let wanted), _): value == wanted
        case (.contains(let part), .text(let text)): Self.holds(Array(text.utf8), Array(part.utf8))
        case (.contains(let element), .texts(let elements)): elements.contains(element)
        case (.atLeast(let bound), .number(let number)): number >= bound
        case (.above(let bound), .number(let number)): number > bound
        case (.atMost(let bound), .number(let number)): number <= bound
        case (.below(let bound), .number(let number)): number < bound
        case (.before(.at(let moment)), .text(let text)): Instant(dateText: text).map { $0 < moment } ?? false
        case (.after(.at(let moment)), .text(let text)): Instant(dateText: text).map { $0 > moment } ?? false
        default: false
        }
    }

    private static func holds(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0..<$0 + part.count].elementsEqual(part) }
    }
}
