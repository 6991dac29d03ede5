import Mustache

/// All templates of the panel, by name. They escape what they draw, so text from outside stays text.
enum Templates {
    private static let all: [[String: String]] = [
        frame,
        tonight,
    ]

    private static let library = MustacheLibrary(
        templates: Dictionary(all.flatMap(\.self)) { first, _ in
            preconditionFailure("two templates have one name: \(first.prefix(80))")
        }.mapValues(compiled))

    /// Draws a view, with the names of its properties as the names of the template.
    static func render(_ view: Any, _ name: String) -> String {
        guard let text = library.render(view, withTemplate: name) else {
            preconditionFailure("there is no template \(name)")
        }
        return text
    }

    private static func compiled(_ text: String) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: text)
        } catch {
            preconditionFailure("a template is not valid: \(error): \(text.prefix(200))")
        }
    }
}
