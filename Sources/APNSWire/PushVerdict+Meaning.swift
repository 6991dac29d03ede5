extension PushVerdict {
    /// What the verdict means for the push, as a clause.
    ///
    /// - Parameter isDropped: whether phones drop the payload although Apple took it.
    public func meaning(isDropped: Bool = false) -> String {
        switch self {
        case .accepted where isDropped: "Apple took the push, and the phone will drop it"
        case .accepted: "Apple took the push and tries to deliver it"
        case .notProcessed: "the push did not reach Apple: no connection, or none that took it in time"
        default: reason?.meaning ?? "the push left, and no answer came: it may have reached Apple or not"
        }
    }
}
