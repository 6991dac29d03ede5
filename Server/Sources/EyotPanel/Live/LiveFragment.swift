/// A part of a page that changes while the page is open: the element with an id, and what stands in it.
struct LiveFragment: Sendable, Equatable {
    var id: String
    /// HTML that a template has made.
    var html: String
}
