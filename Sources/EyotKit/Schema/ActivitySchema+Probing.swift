import EyotContract

@available(iOS 16.1, *)
extension ActivitySchema {
    /// Derives the schema of a Live Activity type from the type itself.
    ///
    /// Structs, optionals, collections, dates and `CaseIterable` enums need nothing more. Other enums, and types that
    /// decode only certain values, need examples. An example is a value of the type or of any type that contains it.
    ///
    /// - Throws: ``ShapeProblem`` that names the type for which more is needed.
    public init<Attributes: ActivityAttributes>(of type: Attributes.Type, examples: [any Codable] = []) throws {
        let probe = try ShapeProbe(examples: examples)
        let shapes = try probe.shapes(of: [Attributes.self, Attributes.ContentState.self])
        self.init(
            type: Activity<Attributes>.typeName, attributes: shapes[0], contentState: shapes[1], types: probe.types)
    }
}
