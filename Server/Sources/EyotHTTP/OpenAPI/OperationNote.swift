import EyotContract
import EyotDomain

/// Text, shapes and codes of a route for the description of the API. The route itself gives the rest.
package struct OperationNote: Sendable {
    /// A successful answer.
    package struct Success: Sendable {
        package var status: Int
        /// Nil means no body.
        package var shape: JSONValue?
        package var example: JSONValue?

        package init(_ status: Int, _ shape: JSONValue?, example: JSONValue? = nil) {
            self.status = status
            self.shape = shape
            self.example = example
        }
    }

    /// A vendor's answers to refused calls.
    package struct Refusals: Sendable {
        package var statuses: [Int]
        package var shape: JSONValue
        /// Statuses without a body.
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
    /// An example body, if the shape's own example does not fit.
    package var example: JSONValue?
    package var successes: [Success]
    /// Error codes beside those that every route of its kind answers.
    package var codes: [EyotError.Code]
    /// Nil means problem+json.
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

    /// Makes a note on one of Eyot's own routes from names of shapes.
    static func of(
        _ summary: String, takes: String? = nil, _ status: Int = 200, _ answer: String? = nil,
        codes: [EyotError.Code] = []
    ) -> OperationNote {
        OperationNote(
            summary, takes: takes.map(Shape.named), answers: [Success(status, answer.map(Shape.named))], codes: codes)
    }
}
