/// How transactions run. Tests change a rule, to see that it is needed.
struct PostgresRules: Sendable {
    /// The words that begin a transaction that writes.
    var begin = "BEGIN ISOLATION LEVEL SERIALIZABLE"
    /// Whether events get their ids by the numbers of their transactions.
    var numbersEvents = true
    /// Whether a writer finds out if a commit without an answer happened.
    var readsMarks = true
    /// Whether writes without a result wait for the next answer.
    var queuesWrites = true
}
