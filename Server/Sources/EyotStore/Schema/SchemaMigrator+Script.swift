extension SchemaMigrator {
    /// The statements of the steps that a database with this history has not taken, and what records them.
    ///
    /// A step that also changes rows is recorded as begun, and a program does its rows.
    ///
    /// - Throws: ``StoreError/unsupported(_:)`` for a history that a program of version 0.1.0 began.
    package func script(after history: SchemaHistory) throws(StoreError) -> [String] {
        guard history.version < steps.count else { return [] }
        guard history.isComplete || history.version == 0 else {
            throw .unsupported("its history is of version 0.1.0, which a program has to complete")
        }
        let table = history.version == 0 ? [tableOfSteps] : []
        return table + (history.version..<steps.count).flatMap { statements[$0] + [record(ofStep: $0 + 1)] }
    }

    private func record(ofStep number: Int) -> String {
        let step = steps[number - 1]
        let name = step.name.replacing("'", with: "''")
        return """
            INSERT INTO schema_steps (step, name, hash, works_since, place) VALUES (\(number), '\(name)', \
            '\(hashes[number - 1])', \(step.worksSince ?? number), \(step.fill == nil ? "NULL" : "0"))
            """
    }
}
