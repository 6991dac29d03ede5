import EyotDomain

/// Join secrets, in the simplest form.
extension MemoryLedger {
    package func joinSecret(of activity: ActivityID) -> KeptJoinSecret? { joinSecrets[activity] }
    package func put(_ secret: KeptJoinSecret) { joinSecrets[secret.activity] = secret }
    package func removeJoinSecret(of activity: ActivityID) -> Bool { joinSecrets.removeValue(forKey: activity) != nil }
}
