import EyotKit
import Foundation

/// Over EyotKit.
@available(iOS 16.1, *)
struct LiveActivities: InsiderLiveActivitiesProtocol {
    @available(iOS 17.2, *)
    func register<T: InsiderLiveActivitiesAttributes>(forType type: Activity<T>.Type) async throws {
        Eyot.whenConfigured { $0.register(T.self) }
        try checkAuthorization()
    }

    func resumeActivities<T: InsiderLiveActivitiesAttributes>(forType type: Activity<T>.Type) async throws {
        guard #available(iOS 16.2, *) else { return }
        Eyot.whenConfigured { $0.resume(T.self) { $0.insiderLiveActivityId.activityId } }
        try checkAuthorization()
    }

    func cancel<T: InsiderLiveActivitiesAttributes>(forType type: Activity<T>.Type) async {
        guard ProcessInfo.processInfo.hasActivityKit else { return }
        Eyot.whenConfigured { $0.cancel(type: Activity<T>.typeName) }
    }

    func cancel(activityId: InsiderLiveActivityIdentifier) async {
        Eyot.whenConfigured { $0.stopTracking(name: activityId.activityId) }
    }

    func cancelAll() async { Eyot.whenConfigured { $0.cancel(type: nil) } }

    private func checkAuthorization() throws {
        guard ProcessInfo.processInfo.hasActivityKit, ActivityAuthorizationInfo().areActivitiesEnabled else {
            throw InsiderLiveActivitiesError.authorizationDenied
        }
    }
}
