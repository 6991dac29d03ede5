import Foundation

/// The terminal that a stream of this process may be.
struct Terminal: Sendable {
    static let output = Terminal(of: STDOUT_FILENO)
    static let errors = Terminal(of: STDERR_FILENO)

    /// A style of text, by its number in the sequences of ECMA-48.
    enum Style: Int {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    /// Whether the stream is a terminal.
    let isTerminal: Bool
    /// Whether text is styled: on a terminal that understands it, unless `NO_COLOR` is set.
    let isStyled: Bool
    /// The columns of a terminal; nil if the stream is none, so that a file or a pipe gets uncut lines.
    let width: Int?

    init(isTerminal: Bool, width: Int? = nil, environment: [String: String] = [:]) {
        self.isTerminal = isTerminal
        self.width = isTerminal ? width ?? environment["COLUMNS"].flatMap(Int.init) ?? 80 : nil
        let isDisabled = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isStyled = isTerminal && !isDisabled && environment["TERM"] != "dumb"
    }

    private init(of descriptor: Int32) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        self.init(
            isTerminal: isatty(descriptor) == 1, width: isKnown ? Int(size.ws_col) : nil,
            environment: ProcessInfo.processInfo.environment)
    }

    /// Returns a text in a style, or as it is if nothing is styled here.
    func styled(_ text: String, _ style: Style) -> String {
        isStyled && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
