import EyotDomain
import EyotHTTP

/// What a member sees when a call was refused or failed: what happened, where, and what to do.
struct FailurePage {
    private struct View {
        var title: String
        var sentence: String
        var field: String?
        var cause: String
        var remedy: String
        var code: String
        var status: Int
        /// The page of the section; nil without a member.
        var back: String?
        let style = PanelAssets.style.path
        var main = ""
    }

    private let view: View

    /// - Parameter back: A page to go on from.
    init(_ problem: Problem, back: String? = nil) {
        let error = problem.error
        view = View(
            title: problem.status.code == 404 ? "Not found" : "Not done", sentence: error.detail + ".",
            field: error.field, cause: error.code.cause, remedy: error.code.remedy, code: error.code.rawValue,
            status: problem.status.code, back: back)
    }

    /// The part for the frame of a page.
    var main: String { Templates.render(view, "failure") }

    /// A page of its own, for calls without a member.
    var text: String {
        var whole = view
        whole.main = main
        return Templates.render(whole, "bare")
    }
}
