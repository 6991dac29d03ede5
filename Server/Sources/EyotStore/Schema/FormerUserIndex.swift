import EyotDomain

/// A step of the history: phones by the former user of places that they took over. The removal of a user finds them.
enum FormerUserIndex {
    static let migration = Schema.Migration(name: "former users", worksSince: 17) { _ in
        ["CREATE INDEX devices_by_former_user ON devices (app, former_user, id) WHERE former_user IS NOT NULL"]
    }
}
