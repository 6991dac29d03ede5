/// A programming language of backends.
enum TypeLanguage: String, CaseIterable {
    case typescript, python, kotlin

    /// Returns the text of a file with the types of schemas.
    ///
    /// - Throws: ``TypeNameConflict`` if one name would stand for two types.
    func text(of sources: [SchemaSource]) throws(TypeNameConflict) -> String {
        let files = sources.map(\.file.quotedInComment).withoutRepeats.joined(separator: ", ")
        // Python looks for a file's encoding in its first two lines, so file names stand below them.
        let header = [
            "Made by `eyot schema types`. Do not edit it: make it anew when a schema has changed.",
            "A phone drops what does not decode, without a word.", "From \(files).",
        ]
        switch self {
        case .typescript:
            let types = try BackendTypes(sources, reserved: TypeScriptWriter.reserved)
            return TypeScriptWriter(types).text(header)
        case .python:
            let types = try BackendTypes(sources, reserved: PythonWriter.reserved)
            return PythonWriter(types).text(header)
        case .kotlin:
            let types = try BackendTypes(sources, reserved: KotlinWriter.reserved)
            return KotlinWriter(types).text(header)
        }
    }
}
