import Mustache

/// All templates of the panel, by name. They escape what they draw, so text from outside stays text.
enum Templates {
    private static let all: [[String: String]] = [
        frame,
        tonight,
        app,
        webhooks,
        console,
        audit,
        server,
        signIn, account, members,
        schemaForms, activities, declaring, cards, cardPhone, version, operation, start, search, reports,
        forms, why, people, log, insight, audiences, types, definitions,
    ]

    private static let library: MustacheLibrary = {
        MustacheContentTypes.register(PanelText(), named: PanelText.name)
        let texts = Dictionary(all.flatMap(\.self)) { first, _ in
            preconditionFailure("two templates have one name: \(first.prefix(80))")
        }
        let pages = texts.keys.map { (page($0), "{{#view}}{{>\($0)}}{{/view}}") }
        return MustacheLibrary(templates: texts.merging(pages) { first, _ in first }.mapValues(compiled))
    }()

    private static func page(_ name: String) -> String { "page \(name)" }

    /// Draws a view of a member's page. Its forms have the session's token by `{{>token}}`.
    static func render(_ view: Any, _ name: String, for member: SignedIn) -> String {
        render(MembersView(view: view, formToken: member.formToken), page(name))
    }

    private struct MembersView {
        var view: Any
        var formToken: String
    }

    /// Draws a view, with the names of its properties as the names of the template.
    static func render(_ view: Any, _ name: String) -> String {
        guard let text = library.render(view, withTemplate: name) else {
            preconditionFailure("there is no template \(name)")
        }
        return text
    }

    private static func compiled(_ text: String) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: "{{% CONTENT_TYPE: \(PanelText.name)}}\n" + text)
        } catch {
            preconditionFailure("a template is not valid: \(error): \(text.prefix(200))")
        }
    }
}
