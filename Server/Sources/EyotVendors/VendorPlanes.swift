import EyotDomain
import EyotHTTP

/// The APIs of other vendors over our commands: their calls, their answers, and nothing kept that is not ours.
package struct VendorPlanes: Sendable {
    /// What the planes are told of their surroundings.
    package struct Settings: Sendable {
        /// The vendors whose documented refusals of what does no harm are left out, for callers who have got used to it.
        package var lenient: Set<KeyPlane> = []

        package init(lenient: Set<KeyPlane> = []) { self.lenient = lenient }
    }

    private let backend: Backend
    private let settings: Settings

    package init(_ backend: Backend, settings: Settings = Settings()) {
        self.backend = backend
        self.settings = settings
    }

    /// All of their routes.
    package var routes: [Route] {
        planes.map { route in
            var route = route
            route.note = VendorNotes.all[route.path]
            return route
        }
    }

    private var planes: [Route] {
        NetmeraRoutes(backend: backend, isLenient: settings.lenient.contains(.netmera)).routes
            + AirshipRoutes(backend: backend, isLenient: settings.lenient.contains(.airship)).routes
            + BrazeRoutes(backend: backend, isLenient: settings.lenient.contains(.braze)).routes
            + InsiderRoutes(backend: backend).routes
    }
}
