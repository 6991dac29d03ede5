import EyotStore

extension StoreError {
    /// The kind of the error, without details that could name people.
    package var kind: String {
        switch self {
        case .constraint: "constraint"
        case .rowMissing: "rowMissing"
        case .unreadable: "unreadable"
        case .textWithNUL: "textWithNUL"
        case .schemaNewer: "schemaNewer"
        case .schemaForeign: "schemaForeign"
        case .schemaUnfinished: "schemaUnfinished"
        case .notDurable: "notDurable"
        case .inUse: "inUse"
        case .diskFull: "diskFull"
        case .interrupted: "interrupted"
        case .failed: "failed"
        }
    }
}
