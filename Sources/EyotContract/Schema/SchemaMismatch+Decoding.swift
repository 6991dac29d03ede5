extension SchemaMismatch {
    /// Makes a mismatch of a decoder's error.
    ///
    /// - Parameter root: the path of the decoded value; empty if the error's path is complete.
    package init(_ error: DecodingError, below root: String = "") {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(path: Self.path(context.codingPath + [key], below: root), reason: Self.missing)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            self.init(path: Self.path(context.codingPath, below: root), reason: context.debugDescription)
        @unknown default: self.init(path: root, reason: "\(error)")
        }
    }

    /// Returns the text of an error that decoding threw. An app's own decoding may throw any error.
    ///
    /// - Parameter root: the path of the decoded value.
    package static func words(for error: any Error, below root: String = "") -> String {
        guard let error = error as? DecodingError else { return root.isEmpty ? "\(error)" : "\(root): \(error)" }
        let mismatch = SchemaMismatch(error, below: root)
        return mismatch.path.isEmpty ? mismatch.reason : mismatch.description
    }

    private static func path(_ keys: [any CodingKey], below root: String) -> String {
        keys.reduce(into: root) { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
