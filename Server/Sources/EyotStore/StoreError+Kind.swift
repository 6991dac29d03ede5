extension StoreError {
    /// All kinds that a transaction of a running store may fail with, for metrics that begin at 0.
    package static let kinds =
        [
            "constraint", "rowMissing", "unreadable", "textWithNUL", "diskFull", "interrupted", "conflict",
            "connectionLost", "unknownCommit", "statementTimeout", "failed",
        ] + StatementFault.allCases.map(\.rawValue) + ConnectionFault.allCases.map(\.rawValue)

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
        case .refused(let fault, _): fault.rawValue
        case .unreachable(let fault, _): fault.rawValue
        case .failed: "failed"
        }
    }
}
