/// The URLs of one of Apple's services in each environment.
///
/// The setting has one URL for both, or two with a comma between them: the sandbox's first, then production's.
package struct ServiceURLs: Sendable, Hashable {
    package var sandbox: String
    package var production: String

    /// - Parameter url: Checks a URL, and returns nil if it is wrong.
    init?(_ text: String, url: (String) -> String?) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            url(String($0.drop { $0 == " " }))
        }
        guard (1...2).contains(parts.count), let first = parts[0], let last = parts[parts.count - 1] else { return nil }
        (sandbox, production) = (first, last)
    }
}
