/// The order of changes of person on an app's phones, as a number that each of them raises (R12).
///
/// **Problem.** The members of an audience are found in a snapshot, and places are reserved for them in a later
/// transaction. A phone may change its person in between. Clocks cannot tell whether the snapshot has seen the change:
/// a change may read its clock before the search does, and be committed after the snapshot was taken.
///
/// **Approach.** An app has one number. A change of person raises it, and the phone keeps the new value
/// (``Device/personNumber``), in one transaction. A search reads the number in its own snapshot. A place keeps the
/// value of its search (``Replica/personNumber``).
///
///     search    reads 7 ─────────────────────────────────▶ place: 7
///     phone              changes its person: 8             8 > 7, so the search has not seen the change
///
/// **Why it is right.** Number and phone are changed together, so a snapshot has seen either both or neither. A phone
/// without a former user has no change, so logins of new phones raise nothing.
package enum PersonChanges {}

extension Replica {
    /// Whether its phone has changed its person since the place was reserved for it.
    package func hasFormerPerson(on device: Device) -> Bool { device.personNumber > personNumber }
}

extension Activity {
    /// Whether a card for a former person of a phone is not for the next one. It is private, or was started for named
    /// users in an app with activities that are public by default.
    package func isPersonal(in app: App) -> Bool {
        !(isPublic ?? app.opensActivities) || isPublic == nil && !users.isEmpty
    }
}
