/// What a browser says of itself, in words that a person recognises in a list of sessions.
package enum BrowserName {
    /// The most bytes of a name that is not recognised; the rest is cut off.
    package static let bytes = 80

    /// Words of the header with the browser's name, the most special first: most browsers name others too.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Mac OS X", "macOS"),
        ("Windows", "Windows"), ("Linux", "Linux"),
    ]

    /// Returns a name such as `Safari on iPhone`; nil if the browser says nothing.
    ///
    /// - Parameter text: The header `User-Agent`.
    package static func of(_ text: String?) -> String? {
        guard let text else { return nil }
        let browser = browsers.first { text.contains($0.0) }?.1
        let system = systems.first { text.contains($0.0) }?.1
        if let browser { return system.map { "\(browser) on \($0)" } ?? browser }
        let shown = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        let cut = String(decoding: String(String.UnicodeScalarView(shown)).utf8.prefix(bytes), as: UTF8.self)
        return cut.isEmpty ? nil : cut
    }
}
