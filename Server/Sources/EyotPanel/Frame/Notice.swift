/// What was done, as the next page says it. The address of the page has only the name, so that no link can put words
/// into the panel.
enum Notice: String {
    case halted, queued, removed, resumed, restored, saved
    case declared, canary, started, ended

    /// The parameter that names it.
    static let parameter = "done"

    var sentence: String {
        switch self {
        case .halted: "Halted. Nothing is pushed until you resume. What was declared is kept."
        case .resumed: "Resumed. Cards that lack a state get it now, a canary in its turn."
        case .saved: "Saved."
        case .queued: "Queued. It is sent in its turn."
        case .removed: "Removed."
        case .declared: "Declared for all cards. They are brought up to date now."
        case .canary: "Sent to the first share of the cards. It goes on by itself, unless Apple refuses it."
        case .started: "Started. Cards appear as phones report them."
        case .ended: "Ended. The cards get the end now."
        case .restored: "The tokens are used again. Cards get their newest state now."
        }
    }

    /// The sentence while nothing is sent to the cards.
    var heldSentence: String {
        switch self {
        case .halted, .saved, .removed, .queued: sentence
        case .declared, .canary, .started, .ended, .restored, .resumed:
            "Done and kept. Nothing is sent to the cards before what stands in red is over."
        }
    }
}
