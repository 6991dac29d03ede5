/// What was done, as the next page says it. The address of the page has only the name, so that no link can put words
/// into the panel.
enum Notice: String {
    case halted, queued, removed, resumed, saved

    /// The parameter that names it.
    static let parameter = "done"

    var sentence: String {
        switch self {
        case .halted: "Halted. Nothing is pushed until you resume. What was declared is kept."
        case .resumed: "Resumed. The cards that are behind are brought up to date now."
        case .saved: "Saved."
        case .queued: "Queued. It is sent in its turn."
        case .removed: "Removed."
        }
    }
}
