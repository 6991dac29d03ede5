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
        case .schemaLocked: "schemaLocked"
        case .notDurable: "notDurable"
        case .unsupported: "unsupported"
        case .inUse: "inUse"
        case .inUseBy: "inUse"
        case .moved: "moved"
        case .rowRefused: "rowRefused"
        case .diskFull: "diskFull"
        case .interrupted: "interrupted"
        case .conflict: "conflict"
        case .connectionLost: "connectionLost"
        case .unknownCommit: "unknownCommit"
        case .timedOut: "statementTimeout"
        case .unreachable(let fault, _): fault.rawValue
        case .failed: "failed"
        }
    }
}
