import EyotDomain
import EyotHTTP
import HTTPTypes

/// What is wrong with a form, or with a question, for the page that shows it again.
struct FormProblem {
    let sentence: String
    let remedy: String
    let field: String?
    let code: String
    private let status: HTTPResponse.Status

    /// - Throws: what is no refusal.
    init(_ error: any Error) throws {
        let refusal: EyotError
        switch error {
        case let problem as Problem: refusal = problem.error
        case let error as EyotError: refusal = error
        default: throw error
        }
        sentence = Shown.text(refusal.detail)
        field = refusal.field.map(Shown.text)
        (remedy, code) = (refusal.code.remedy, refusal.code.rawValue)
        status = HTTPResponse.Status(code: refusal.code.status)
    }

    /// Gives a page that shows the problem the status of the refusal.
    func marking(_ page: Answer) -> Answer {
        var page = page
        page.status = status
        return page
    }
}

extension Templates {
    static let forms = [
        "problem": """
        <p class="problem" role="alert"><b>{{sentence}}.</b>{{#field}} <code>{{field}}</code>{{/field}}<br><span class="sub">{{remedy}} <code>{{code}}</code></span></p>
        """,
        "confirm": """
        <h1>{{heading}}</h1>
        <section class="card failure narrowly"><p class="lead">{{lead}}</p>
        <ul class="plain">{{#effects}}<li>{{.}}</li>{{/effects}}</ul>
        <form method="post" action="{{action}}" class="stack"><input type="hidden" name="token" value="{{formToken}}">
        <label><span>Type <span class="typed"><bdi>{{name}}</bdi></span> to confirm, in the app {{app}}</span><input name="typed" value="{{typed}}" autocomplete="off" autocapitalize="off" spellcheck="false" required></label>
        {{#problem}}{{>problem}}{{/problem}}
        <div class="bar"><button class="btn danger">{{button}}</button><a class="btn" href="{{back}}">Cancel</a></div></form></section>
        """,
        "pager": """
        {{#isPaged}}<nav class="bar" aria-label="Pages of the list">{{#first}}<a class="btn" href="{{first}}">First page</a>{{/first}}{{#next}}<a class="btn" href="{{next}}" rel="next">{{more}}</a>{{/next}}</nav>{{/isPaged}}
        """,
    ]
}

/// The links under a list.
struct Pager {
    let first: String?
    let next: String?
    let more: String
    let isPaged: Bool

    init(first: String?, next: String?, more: String = "Next page") {
        (self.first, self.next, self.more) = (first, next, more)
        isPaged = first != nil || next != nil
    }
}
