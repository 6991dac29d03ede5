/// The bytes of calls.
enum HTTPCall {
    /// Returns a call with a JSON body.
    ///
    /// - Parameter headers: further lines of its head.
    static func post(_ path: String, _ body: String, bearer: String, headers: [String] = []) -> [UInt8] {
        let head =
            [
                "POST \(path) HTTP/1.1", "Host: localhost", "Authorization: Bearer \(bearer)",
                "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
            ] + headers
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}
