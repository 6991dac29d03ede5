extension Activity {
    /// What has happened to the activity's halt since a former state: an operator, or its canary, set or ended it.
    package func facts(since former: Activity) -> [Fact] {
        guard haltedAt != nil else {
            return former.haltedAt == nil ? [] : [Fact(.activityResumed, version: version)]
        }
        if former.haltedAt == nil {
            return [Fact(.activityHalted, version: version, reason: haltsByCanary ? "canary" : nil)]
        }
        // An operator takes over the halt of a failed canary.
        return former.haltsByCanary && !haltsByCanary ? [Fact(.activityHalted, version: version)] : []
    }

    /// Whether a failed canary halts it, and no operator.
    private var haltsByCanary: Bool {
        if case .failed(_, halts: true)? = canary?.stage { true } else { false }
    }
}
