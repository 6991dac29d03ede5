import EyotContract
import EyotDomain

/// What is said of a route in the description of the API, beside what the route itself says.
package struct OperationNote: Sendable {
    /// An answer that is no failure.
    package struct Success: Sendable {
        package var status: Int
        /// Nil is no body.
        package var shape: JSONValue?
        package var example: JSONValue?

        package init(_ status: Int, _ shape: JSONValue?, example: JSONValue? = nil) {
            self.status = status
            self.shape = shape
            self.example = example
        }
    }

    /// How a vendor says no.
    package struct Refusals: Sendable {
        package var statuses: [Int]
        package var shape: JSONValue
        /// Those that go without a body.
        package var wordless: Set<Int>

        package init(_ statuses: [Int], _ shape: JSONValue, wordless: Set<Int> = []) {
            self.statuses = statuses
            self.shape = shape
            self.wordless = wordless
        }
    }

    package var summary: String
    /// The shape of the body.
    package var takes: JSONValue?
    /// A body, where that of the shape does not fit.
    package var example: JSONValue?
    package var successes: [Success]
    /// Codes of the catalogue beside those that every route of its kind answers.
    package var codes: [EyotError.Code]
    /// Nil is problem+json.
    package var refusals: Refusals?
    /// Whether it takes `If-Match` and `If-None-Match`.
    package var isConditional = false

    package init(
        _ summary: String, takes: JSONValue? = nil, example: JSONValue? = nil, answers: [Success],
        codes: [EyotError.Code] = [], refusals: Refusals? = nil, isConditional: Bool = false
    ) {
        self.summary = summary
        self.takes = takes
        self.example = example
        successes = answers
        self.codes = codes
        self.refusals = refusals
        self.isConditional = isConditional
    }

    /// A note on a route of ours: its shapes stand among the document's own.
    static func of(
        _ summary: String, takes: String? = nil, _ status: Int = 200, _ answer: String? = nil,
        codes: [EyotError.Code] = [], isConditional: Bool = false
    ) -> OperationNote {
        OperationNote(
            summary, takes: takes.map(Shape.named), answers: [Success(status, answer.map(Shape.named))], codes: codes,
            isConditional: isConditional)
    }
}
